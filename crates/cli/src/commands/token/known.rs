//! Tokens that a hill has already.

use dicehill_store::{StoredToken, TokenRole};

/// The last token of this author; of two, the one that is not revoked.
pub(super) fn token_of<'a>(
    tokens: &'a [StoredToken],
    name: Option<&str>,
) -> Option<&'a StoredToken> {
    let of_author = |token: &&StoredToken| {
        let terms = &token.terms;
        name.is_some() && terms.name.as_deref() == name && terms.role == TokenRole::Author
    };
    let all = tokens.iter().filter(of_author);
    all.max_by_key(|token| (token.revoked.is_none(), token.id))
}
