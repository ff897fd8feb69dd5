//! C programs for the tests.

use std::path::Path;
use std::process::Command;

/// Compiles a C program into `folder`; `None` where there is no C compiler, which it prints.
pub(crate) fn compile(source: &str, folder: &Path) -> Option<String> {
    let program = folder.join("bot");
    let compiler = Command::new("cc")
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .args(["-O2", "-Wall", "-Wextra", "-Werror", "-I", "c", "-o"])
        .arg(&program)
        .arg(source)
        .status();
    match compiler {
        Ok(status) => assert!(status.success(), "{source} does not compile"),
        Err(error) => {
            bao_tests::skip(source, &format!("there is no C compiler ({error})"));
            return None;
        }
    }
    Some(program.to_str().expect("temporary folders have plain names").to_owned())
}
