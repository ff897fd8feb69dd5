//! Whether another user could reach a file.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

/// The right to read, and for a directory to list and enter it.
pub(crate) const READ: u32 = 0o4;
/// The right to read and to change.
pub(crate) const WRITE: u32 = 0o6;
/// The right to use what lies in a directory.
pub(crate) const ENTER: u32 = 0o1;

/// Tells whether a user could use this file by what it is and who owns it; the error names what is in the way.
///
/// `None` stands for a user who owns nothing; groups are not looked at.
pub(crate) fn open_to(path: &Path, user: Option<u32>, right: u32) -> Result<(), String> {
    let rights = |meta: &fs::Metadata| if Some(meta.uid()) == user { meta.mode() >> 6 } else { meta.mode() };
    let real = path.canonicalize().map_err(|error| format!("{}: {error}", path.display()))?;
    for above in real.ancestors().skip(1) {
        let meta = fs::metadata(above).map_err(|error| format!("{}: {error}", above.display()))?;
        if rights(&meta) & ENTER == 0 {
            return Err(format!(
                "{} lies below {}, which is closed to other users",
                path.display(),
                above.display()
            ));
        }
    }
    let meta = fs::metadata(&real).map_err(|error| format!("{}: {error}", real.display()))?;
    let needed = if meta.is_dir() { right | ENTER } else { right };
    if rights(&meta) & needed == needed {
        Ok(())
    } else {
        Err(format!("{} is closed to other users", path.display()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scratch;
    use std::os::unix::fs::PermissionsExt;

    fn mode(path: &Path, mode: u32) {
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    }

    #[test]
    fn a_file_below_a_closed_directory_is_not_open_to_others() {
        let base = scratch::create(None).unwrap();
        fs::write(base.join("file"), "").unwrap();
        let open = |name: &str| open_to(&base.join(name), None, READ);
        assert!(open("file").unwrap_err().contains("closed to other users"));
        mode(&base, 0o755);
        mode(&base.join("file"), 0o644);
        assert_eq!(open("file"), Ok(()));
        mode(&base.join("file"), 0o600);
        assert!(open("file").is_err());
        scratch::remove(&base).unwrap();
    }
}
