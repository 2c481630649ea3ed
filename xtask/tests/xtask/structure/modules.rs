//! Reads the modules of a crate, and finds for each name the file that defines it.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use syn::Item;
use syn::visit::Visit;

use super::graph::Edges;
use super::paths::{Import, Named, attributes, imports, is_for_tests};

type ModulePath = Vec<String>;

/// A module: a file, or a part of one.
struct Module {
    /// From the crate's source folder.
    file: String,
    defined: BTreeSet<String>,
    children: BTreeSet<String>,
    imports: Vec<Import>,
    named: Named,
}

/// The modules of a crate that are not there for tests alone.
pub(super) struct Modules {
    all: BTreeMap<ModulePath, Module>,
}

/// How many re-exports are followed; there are far fewer.
const DEPTH: usize = 32;

impl Modules {
    /// Reads a crate's source folder.
    pub(super) fn read(source: &Path) -> Self {
        let mut modules = Self { all: BTreeMap::new() };
        modules.read_file(source, Path::new("lib.rs"), Vec::new());
        modules
    }

    fn read_file(&mut self, source: &Path, file: &Path, path: ModulePath) {
        let full = source.join(file);
        let text =
            std::fs::read_to_string(&full).unwrap_or_else(|e| panic!("{}: {e}", full.display()));
        let parsed = syn::parse_file(&text).unwrap_or_else(|e| panic!("{}: {e}", full.display()));
        self.add(source, file, path, &parsed.items);
    }

    #[expect(clippy::wildcard_enum_match_arm, reason = "the enum is not ours and may grow")]
    fn add(&mut self, source: &Path, file: &Path, path: ModulePath, items: &[Item]) {
        let mut module = Module {
            file: file.to_str().expect("names of files are plain").to_owned(),
            defined: BTreeSet::new(),
            children: BTreeSet::new(),
            imports: Vec::new(),
            named: Named::default(),
        };
        for item in items.iter().filter(|item| !is_for_tests(attributes(item))) {
            match item {
                Item::Mod(child) => {
                    let name = child.ident.to_string();
                    module.children.insert(name.clone());
                    let child_path = [path.clone(), vec![name.clone()]].concat();
                    match &child.content {
                        Some((_, items)) => self.add(source, file, child_path, items),
                        None => self.read_file(source, &child_file(&path, &name), child_path),
                    }
                }
                Item::Use(item) => module.imports.extend(imports(item)),
                _ => {
                    module.defined.extend(name_of(item));
                    module.named.visit_item(item);
                }
            }
        }
        self.all.insert(path, module);
    }

    /// Which file uses which names of which other file. A re-export is not a use.
    pub(super) fn uses(&self) -> Edges {
        let mut uses: BTreeMap<(String, String), BTreeSet<String>> = BTreeMap::new();
        for (path, module) in &self.all {
            let imported = module.imports.iter().filter(|import| !import.is_public);
            let imported = imported.chain(&module.named.imports).map(|import| &import.path);
            for named in imported.chain(&module.named.paths) {
                let Some(found) = self.file_of(path, named, DEPTH) else { continue };
                if found != module.file {
                    let edge = (module.file.clone(), found.to_owned());
                    uses.entry(edge).or_default().insert(named.join("::"));
                }
            }
        }
        uses.into_iter().map(|(edge, names)| (edge, names.into_iter().collect())).collect()
    }

    /// The file that defines what a path names in a module, if it is of this crate and no module.
    fn file_of(&self, module: &[String], path: &[String], depth: usize) -> Option<&str> {
        let depth = depth.checked_sub(1)?;
        let (first, rest) = path.split_first()?;
        let here = match first.as_str() {
            "crate" => Vec::new(),
            "self" => module.to_vec(),
            "super" => module.split_last()?.1.to_vec(),
            _ => return self.file_in(module, path, depth),
        };
        match rest.first()?.as_str() {
            "super" => self.file_of(&here, rest, depth),
            _ => self.file_in(&here, rest, depth),
        }
    }

    /// The same for a path that begins with a name of the module.
    fn file_in(&self, module: &[String], path: &[String], depth: usize) -> Option<&str> {
        let depth = depth.checked_sub(1)?;
        let (first, rest) = path.split_first()?;
        let here = self.all.get(module)?;
        if here.defined.contains(first) {
            return Some(&here.file);
        }
        if here.children.contains(first) {
            let child = [module, std::slice::from_ref(first)].concat();
            return if rest.is_empty() { None } else { self.file_in(&child, rest, depth) };
        }
        let all = || here.imports.iter().chain(&here.named.imports);
        if let Some(import) = all().find(|import| import.alias == *first) {
            return self.file_of(module, &[&import.path, rest].concat(), depth);
        }
        let mut globs = all().filter(|import| import.alias == "*");
        globs.find_map(|glob| self.file_of(module, &[&glob.path, path].concat(), depth))
    }
}

/// Where a module of its own file lies.
fn child_file(parent: &[String], name: &str) -> PathBuf {
    parent.iter().collect::<PathBuf>().join(format!("{name}.rs"))
}

/// The name that an item defines.
#[expect(clippy::wildcard_enum_match_arm, reason = "the enum is not ours and may grow")]
fn name_of(item: &Item) -> Option<String> {
    Some(match item {
        Item::Const(item) => item.ident.to_string(),
        Item::Enum(item) => item.ident.to_string(),
        Item::Fn(item) => item.sig.ident.to_string(),
        Item::Static(item) => item.ident.to_string(),
        Item::Struct(item) => item.ident.to_string(),
        Item::Trait(item) => item.ident.to_string(),
        Item::Type(item) => item.ident.to_string(),
        Item::Union(item) => item.ident.to_string(),
        Item::Macro(item) => item.ident.as_ref()?.to_string(),
        _ => return None,
    })
}
