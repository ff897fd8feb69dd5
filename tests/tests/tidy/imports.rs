//! The imports of a crate, read from its sources: which file takes a name that another file defines.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use syn::visit::{self, Visit};
use syn::{Attribute, Item, UseTree, Visibility};

/// A crate's files, by the path of the module that each is, such as `["game", "clock"]`.
#[derive(Debug, Default)]
pub(crate) struct Sources {
    files: BTreeMap<Module, File>,
}

/// The path of a module from its crate's root.
type Module = Vec<String>;

#[derive(Debug, Default)]
struct File {
    /// Where it is, from the crate's `src`.
    path: PathBuf,
    /// The names that it defines.
    defined: BTreeSet<String>,
    /// What it hands on with `pub use`: the name, and the path behind it.
    handed_on: Vec<(String, Module)>,
    /// The paths that it names, each from the crate's root.
    named: BTreeSet<Module>,
}

/// An import: `from` names something that `to` defines.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Arrow {
    pub(crate) from: PathBuf,
    pub(crate) to: PathBuf,
    /// A name that is taken.
    pub(crate) name: String,
}

impl Sources {
    /// Reads a crate's `src`. Tests within the files do not count, nor do the roots of programs.
    pub(crate) fn read(src: &Path) -> Self {
        let mut sources = Self::default();
        sources.folder(src, Path::new(""));
        assert!(!sources.files.is_empty(), "no sources in {}", src.display());
        sources
    }

    fn folder(&mut self, src: &Path, folder: &Path) {
        let entries =
            fs::read_dir(src.join(folder)).unwrap_or_else(|error| panic!("{}: {error}", src.display()));
        for entry in entries {
            let entry = entry.expect("a directory that can be read");
            let path = folder.join(entry.file_name());
            if entry.path().is_dir() {
                if path != Path::new("bin") {
                    self.folder(src, &path);
                }
            } else if path.extension().is_some_and(|extension| extension == "rs")
                && path != Path::new("main.rs")
            {
                let text = fs::read_to_string(entry.path()).expect("a source that can be read");
                let parsed =
                    syn::parse_file(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
                let module = module_of(&path);
                let mut reader = Reader { module: module.clone(), file: File { path, ..File::default() } };
                reader.visit_file(&parsed);
                self.files.insert(module, reader.file);
            }
        }
    }

    /// Returns the paths of the files, from the crate's `src`.
    pub(crate) fn paths(&self) -> BTreeSet<PathBuf> {
        self.files.values().map(|file| file.path.clone()).collect()
    }

    /// Returns every import of one file from another.
    pub(crate) fn arrows(&self) -> BTreeSet<Arrow> {
        let mut arrows = BTreeSet::new();
        for file in self.files.values() {
            for named in &file.named {
                let Some((to, name)) = self.definition(named, 0) else { continue };
                if to.path != file.path {
                    arrows.insert(Arrow { from: file.path.clone(), to: to.path.clone(), name });
                }
            }
        }
        arrows
    }

    /// Finds the file that defines what a path names: the module's own, or the one from which it is handed on.
    fn definition(&self, named: &[String], depth: u32) -> Option<(&File, String)> {
        let known = (0..=named.len()).rev().find(|&length| self.files.contains_key(&named[..length]))?;
        let file = &self.files[&named[..known]];
        // Naming a module takes nothing from it; what is taken is in the paths that begin with its name.
        let name = named.get(known)?;
        if file.defined.contains(name) || depth > 8 {
            return Some((file, name.clone()));
        }
        let mut behind = file.handed_on.iter().filter_map(|(handed, path)| {
            let mut path = path.clone();
            match handed.as_str() {
                "*" => path.push(name.clone()),
                handed if handed == name => {}
                _ => return None,
            }
            path.extend_from_slice(&named[known + 1..]);
            self.definition(&path, depth + 1).filter(|(file, name)| file.defined.contains(name))
        });
        behind.next()
    }
}

fn module_of(path: &Path) -> Module {
    let mut module: Module =
        path.with_extension("").iter().map(|part| part.to_string_lossy().into_owned()).collect();
    if module.last().is_some_and(|last| last == "mod") || module == ["lib"] {
        module.pop();
    }
    module
}

/// Collects what one file defines and names.
struct Reader {
    module: Module,
    file: File,
}

impl Reader {
    /// Makes a path start at the crate's root; `None` where it leaves the crate or is a local name.
    fn rooted(&self, path: &[String]) -> Option<Module> {
        let mut module = match path.first()?.as_str() {
            "crate" => Vec::new(),
            "self" => self.module.clone(),
            "super" => self.module[..self.module.len().checked_sub(1)?].to_vec(),
            first => {
                let own = self.file.defined.contains(&format!("mod {first}"));
                return own.then(|| [&self.module[..], path].concat());
            }
        };
        let mut rest = &path[1..];
        while rest.first().is_some_and(|part| part == "super") {
            module.pop();
            rest = &rest[1..];
        }
        module.extend_from_slice(rest);
        Some(module)
    }

    fn import(&mut self, tree: &UseTree, before: &[String], public: bool) {
        match tree {
            UseTree::Path(path) => {
                let before = [before, &[path.ident.to_string()]].concat();
                self.import(&path.tree, &before, public);
            }
            UseTree::Group(group) => group.items.iter().for_each(|tree| self.import(tree, before, public)),
            UseTree::Name(name) if name.ident == "self" => {
                self.named(before, &before[before.len() - 1], public);
            }
            UseTree::Name(name) => {
                let path = [before, &[name.ident.to_string()]].concat();
                self.named(&path, &name.ident.to_string(), public);
            }
            UseTree::Rename(rename) => {
                let path = [before, &[rename.ident.to_string()]].concat();
                self.named(&path, &rename.rename.to_string(), public);
            }
            UseTree::Glob(_) => self.named(before, "*", public),
        }
    }

    fn named(&mut self, path: &[String], name: &str, public: bool) {
        let Some(path) = self.rooted(path) else { return };
        if public {
            self.file.handed_on.push((name.to_owned(), path));
        } else {
            self.file.named.insert(path);
        }
    }
}

/// Returns whether an item is there in tests only.
fn is_test(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        attribute.path().is_ident("test")
            || attribute.path().is_ident("cfg")
                && attribute.parse_args::<syn::Path>().is_ok_and(|path| path.is_ident("test"))
    })
}

impl<'ast> Visit<'ast> for Reader {
    fn visit_file(&mut self, file: &'ast syn::File) {
        // The names of modules come first: paths may begin with them.
        for item in &file.items {
            if let Item::Mod(module) = item {
                self.file.defined.insert(format!("mod {}", module.ident));
            }
        }
        visit::visit_file(self, file);
    }

    fn visit_item(&mut self, item: &'ast Item) {
        let (attributes, name) = match item {
            Item::Const(item) => (&item.attrs, Some(&item.ident)),
            Item::Enum(item) => (&item.attrs, Some(&item.ident)),
            Item::Fn(item) => (&item.attrs, Some(&item.sig.ident)),
            Item::Macro(item) => (&item.attrs, item.ident.as_ref()),
            Item::Static(item) => (&item.attrs, Some(&item.ident)),
            Item::Struct(item) => (&item.attrs, Some(&item.ident)),
            Item::Trait(item) => (&item.attrs, Some(&item.ident)),
            Item::Type(item) => (&item.attrs, Some(&item.ident)),
            Item::Mod(item) => (&item.attrs, None),
            Item::Use(item) => {
                let public = !matches!(item.vis, Visibility::Inherited);
                if !is_test(&item.attrs) {
                    self.import(&item.tree, &[], public);
                }
                return;
            }
            Item::ExternCrate(_)
            | Item::ForeignMod(_)
            | Item::Impl(_)
            | Item::TraitAlias(_)
            | Item::Union(_)
            | Item::Verbatim(_)
            | _ => return visit::visit_item(self, item),
        };
        if is_test(attributes) {
            return;
        }
        if let Some(name) = name {
            self.file.defined.insert(name.to_string());
        }
        visit::visit_item(self, item);
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        let parts: Vec<String> = path.segments.iter().map(|segment| segment.ident.to_string()).collect();
        if parts.len() > 1
            && let Some(path) = self.rooted(&parts)
        {
            self.file.named.insert(path);
        }
        visit::visit_path(self, path);
    }
}
