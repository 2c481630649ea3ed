use dicehill_solver::liars_dice::*;
fn main(){
  let a: Vec<usize> = std::env::args().skip(1).map(|x| x.parse().unwrap()).collect();
  let round = Round::new(a[0] as u8, a[1] as u8).unwrap();
  let tree = Tree::new(round, Limits::bids(Side::Starter,2));
  let r0=tree.hands(Side::Starter).chances().to_vec(); let r1=tree.hands(Side::Responder).chances().to_vec();
  let (lo,hi)=(a[2] as u32,a[3] as u32);
  let mut mask=0u64; for c in lo..=hi { for f in 1..6u32 { mask |= 1<<(6*(c-1)+f);} }
  let t=std::time::Instant::now();
  let s=Subgame::solve(round,None,[&r0,&r1],SubgameLimits{bids:mask,most_bids:a[4],iterations:a[5] as u32});
  println!("{:?}", t.elapsed());
  for (b,row) in s.actions() { let p:f64=row.iter().zip(&r0).map(|(a,b)|a*b).sum(); println!("{:?} {:.4}", b.map(|b|b.to_string()), p); }
}
