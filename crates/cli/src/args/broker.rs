//! How a command logs in to NATS.

use std::ffi::OsString;
use std::path::PathBuf;

#[cfg(feature = "workers")]
use dicehill_workers::{BrokerAddress, BrokerError};

#[cfg(feature = "workers")]
use crate::failure::Failure;

/// How a command logs in to NATS.
#[derive(Clone, Default, clap::Args)]
pub(crate) struct BrokerArgs {
    /// Log in to NATS with this credentials file, as `nsc` writes it
    #[arg(long, value_name = "FILE")]
    pub(crate) nats_creds: Option<PathBuf>,
    /// Log in to NATS with the seed of an nkey in this file
    #[arg(long, value_name = "FILE", conflicts_with = "nats_creds")]
    pub(crate) nats_nkey: Option<PathBuf>,
    /// Require TLS, and trust the certificate authorities in this file too; tls://HOST trusts the system's
    #[arg(long, value_name = "FILE")]
    pub(crate) nats_ca: Option<PathBuf>,
    /// Identify with the TLS certificate in this file
    #[arg(long, value_name = "FILE", requires = "nats_key")]
    pub(crate) nats_cert: Option<PathBuf>,
    /// The key of that certificate
    #[arg(long, value_name = "FILE", requires = "nats_cert")]
    pub(crate) nats_key: Option<PathBuf>,
}

impl BrokerArgs {
    /// The options of another command that logs in in the same way, from any folder.
    pub(crate) fn options(&self) -> impl Iterator<Item = OsString> {
        let Self { nats_creds, nats_nkey, nats_ca, nats_cert, nats_key } = self;
        let files = [
            ("--nats-creds", nats_creds),
            ("--nats-nkey", nats_nkey),
            ("--nats-ca", nats_ca),
            ("--nats-cert", nats_cert),
            ("--nats-key", nats_key),
        ];
        let option = |(option, file): (&str, &Option<PathBuf>)| {
            let file = file.as_ref()?;
            let file = std::path::absolute(file).unwrap_or_else(|_| file.clone());
            Some([option.into(), file.into_os_string()])
        };
        files.into_iter().filter_map(option).flatten()
    }
}

#[cfg(feature = "workers")]
impl BrokerArgs {
    /// The broker at this address, with these log-ins.
    pub(crate) fn address(&self, url: &str) -> Result<BrokerAddress, Failure> {
        let Self { nats_creds, nats_nkey, nats_ca, nats_cert, nats_key } = self.clone();
        let mut address = BrokerAddress::new(url)?;
        address.credentials = nats_creds;
        address.nkey = nats_nkey;
        address.authorities = nats_ca;
        address.certificate = nats_cert.zip(nats_key).map(|(certificate, key)| [certificate, key]);
        Ok(address)
    }

    /// The broker at this address, if there is one.
    pub(crate) fn address_of(&self, url: Option<&str>) -> Result<Option<BrokerAddress>, Failure> {
        url.map(|url| self.address(url)).transpose()
    }
}

#[cfg(feature = "workers")]
impl From<BrokerError> for Failure {
    fn from(error: BrokerError) -> Self {
        if error.is_of_usage() {
            Self::Usage(error.to_string())
        } else {
            Self::Failed(std::io::Error::other(error))
        }
    }
}
