//! Collects the paths that a file names, in code and within macros.

use proc_macro2::{TokenStream, TokenTree};
use syn::visit::{self, Visit};
use syn::{Attribute, Item, ItemMod, ItemUse, Macro, UseTree};

/// A path with the name by which it is known where it is imported.
pub(super) struct Import {
    pub(super) alias: String,
    pub(super) path: Vec<String>,
    pub(super) is_public: bool,
}

/// Whether an item is there only in tests.
pub(super) fn is_for_tests(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        let is = |name| attribute.path().is_ident(name);
        is("test")
            || is("cfg")
                && attribute.meta.require_list().is_ok_and(|list| list.tokens.to_string() == "test")
    })
}

/// The attributes of an item that can be left out of a build.
#[expect(clippy::wildcard_enum_match_arm, reason = "the enum is not ours and may grow")]
pub(super) fn attributes(item: &Item) -> &[Attribute] {
    match item {
        Item::Const(item) => &item.attrs,
        Item::Fn(item) => &item.attrs,
        Item::Impl(item) => &item.attrs,
        Item::Mod(item) => &item.attrs,
        Item::Use(item) => &item.attrs,
        _ => &[],
    }
}

/// The imports of a `use` item; a glob has the alias `*`.
pub(super) fn imports(item: &ItemUse) -> Vec<Import> {
    let mut found = Vec::new();
    let is_public = !matches!(item.vis, syn::Visibility::Inherited);
    flatten(&item.tree, &mut Vec::new(), is_public, &mut found);
    found
}

fn flatten(tree: &UseTree, before: &mut Vec<String>, is_public: bool, found: &mut Vec<Import>) {
    let mut add = |alias: String, last: Option<String>| {
        let path = before.iter().cloned().chain(last).collect();
        found.push(Import { alias, path, is_public });
    };
    match tree {
        UseTree::Path(path) => {
            before.push(path.ident.to_string());
            flatten(&path.tree, before, is_public, found);
            before.pop();
        }
        UseTree::Name(name) if name.ident == "self" => {
            add(before.last().cloned().unwrap_or_default(), None);
        }
        UseTree::Name(name) => add(name.ident.to_string(), Some(name.ident.to_string())),
        UseTree::Rename(name) => add(name.rename.to_string(), Some(name.ident.to_string())),
        UseTree::Glob(_) => add("*".to_owned(), None),
        UseTree::Group(group) => {
            group.items.iter().for_each(|tree| flatten(tree, before, is_public, found));
        }
    }
}

/// The paths that items name, `use` items aside.
#[derive(Default)]
pub(super) struct Named {
    pub(super) paths: Vec<Vec<String>>,
    pub(super) imports: Vec<Import>,
}

impl<'ast> Visit<'ast> for Named {
    fn visit_item(&mut self, item: &'ast Item) {
        if !is_for_tests(attributes(item)) {
            visit::visit_item(self, item);
        }
    }

    /// A module has its own.
    fn visit_item_mod(&mut self, _: &'ast ItemMod) {}

    /// Of functions' own imports.
    fn visit_item_use(&mut self, item: &'ast ItemUse) {
        self.imports.extend(imports(item));
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        self.paths.push(path.segments.iter().map(|segment| segment.ident.to_string()).collect());
        visit::visit_path(self, path);
    }

    fn visit_macro(&mut self, item: &'ast Macro) {
        self.visit_path(&item.path);
        self.tokens(item.tokens.clone());
    }
}

impl Named {
    /// All sequences of names that are joined by `::`.
    fn tokens(&mut self, tokens: TokenStream) {
        let mut path: Vec<String> = Vec::new();
        let mut colons = 0;
        for token in tokens {
            match token {
                TokenTree::Ident(name) => {
                    if colons != 2 {
                        self.end(&mut path);
                    }
                    path.push(name.to_string());
                    colons = 0;
                }
                TokenTree::Punct(mark) if mark.as_char() == ':' && !path.is_empty() => colons += 1,
                TokenTree::Group(group) => {
                    self.end(&mut path);
                    self.tokens(group.stream());
                }
                TokenTree::Punct(_) | TokenTree::Literal(_) => self.end(&mut path),
            }
        }
        self.end(&mut path);
    }

    fn end(&mut self, path: &mut Vec<String>) {
        if !path.is_empty() {
            self.paths.push(std::mem::take(path));
        }
    }
}
