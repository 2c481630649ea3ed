use std::collections::HashMap;
use std::io::Write;

fn main() {
    println!("{}", r#"{"type":"ready","inflight":8}"#);
    let (sender, receiver) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        for line in std::io::stdin().lines().map_while(Result::ok) {
            if sender.send(line).is_err() {
                return;
            }
        }
    });
    // The hasher's keys are random.
    let mut chosen: HashMap<String, u32> = HashMap::new();
    for line in receiver {
        let after = |key: &str| line.split_once(key).map(|(_, rest)| rest.to_owned());
        if let (Some(id), Some(legal)) = (after("\"id\":"), after("\"legal\":{\"")) {
            let id = id.split(',').next().unwrap();
            let category = legal.split('"').next().unwrap();
            *chosen.entry(category.to_owned()).or_default() += 1;
            println!("{{\"id\":{id},\"category\":\"{category}\"}}");
            std::io::stdout().flush().unwrap();
        }
    }
}
