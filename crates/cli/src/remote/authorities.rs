//! The certificates of the authorities in a PEM file.

use std::path::Path;

use dicehill_store::FileError;
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject;

/// The certificates in a PEM file.
///
/// # Errors
/// If the file cannot be read, or has none.
pub(super) fn authorities(path: &Path) -> Result<Vec<CertificateDer<'static>>, FileError> {
    let text = std::fs::read(path).map_err(|error| FileError::new(path, error))?;
    let all: Result<Vec<_>, _> = CertificateDer::pem_slice_iter(&text).collect();
    match all {
        Ok(all) if !all.is_empty() => Ok(all),
        Ok(_) => Err(FileError::new(path, "has no certificate in PEM form")),
        Err(error) => Err(FileError::new(path, format!("is not in PEM form: {error}"))),
    }
}

/// What to do if a connection has failed for a server's certificate; empty if that is not why.
pub(super) fn certificate_remedy(why: &str) -> &'static str {
    if why.contains("UnknownIssuer") {
        return "; --ca FILE names the authority of a certificate of your own";
    }
    if why.contains("CaUsedAsEndEntity") {
        // What `openssl req -x509` makes without further options.
        return "; the server's certificate is that of an authority, which no server may have: \
                `-addext basicConstraints=critical,CA:FALSE` has openssl make one of a server";
    }
    ""
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_without_certificates_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("ca.pem");
        let refused = |path: &Path| authorities(path).unwrap_err().to_string();
        assert!(refused(&path).contains("ca.pem"), "there is no file");
        std::fs::write(&path, "key").unwrap();
        assert!(refused(&path).contains("no certificate"));
        std::fs::write(&path, "-----BEGIN CERTIFICATE-----\n?\n-----END CERTIFICATE-----\n")
            .unwrap();
        assert!(refused(&path).contains("PEM"), "{}", refused(&path));
    }
}
