//! The bots, by their content, in JetStream's object store.

use std::io::Cursor;

use async_nats::jetstream::object_store::{Config, ObjectStore};
use async_nats::jetstream::stream::StorageType;
use tokio::io::AsyncReadExt;

use super::connection::Broker;
use super::error::BrokerError;
use crate::messages::{BotObject, MAX_OBJECT_BYTES};

/// The bucket of all bots.
const BUCKET: &str = "dicehill-bots";
/// How long the store keeps a bot. The host stores it again if its run takes longer.
const MAX_AGE: std::time::Duration = std::time::Duration::from_secs(7 * 24 * 3600);

/// Stores the files of a bot, unless they are there.
///
/// # Errors
/// If the store refuses them.
pub(crate) async fn keep_object(
    broker: &Broker,
    object: &BotObject,
    content: &[u8],
) -> Result<(), BrokerError> {
    let store = bucket(broker).await?;
    let known = store.info(&object.object).await;
    if known.is_ok_and(|info| !info.deleted && info.size as u64 == object.bytes) {
        return Ok(());
    }
    let stored = store.put(object.object.as_str(), &mut Cursor::new(content)).await;
    stored.map(drop).map_err(|error| BrokerError::request("store a bot", error))
}

async fn bucket(broker: &Broker) -> Result<ObjectStore, BrokerError> {
    if let Ok(store) = broker.jetstream.get_object_store(BUCKET).await {
        return Ok(store);
    }
    let config = Config {
        bucket: BUCKET.to_owned(),
        description: Some("The bots of dicehill runs".to_owned()),
        max_age: MAX_AGE,
        storage: StorageType::File,
        num_replicas: 1,
        ..Config::default()
    };
    let made = broker.jetstream.create_object_store(config).await;
    made.map_err(|error| BrokerError::request("make an object store in JetStream", error))
}

/// Fetches the files of a bot.
///
/// # Errors
/// If the store does not have them, or has others.
pub(crate) async fn fetch_object(
    broker: &Broker,
    object: &BotObject,
) -> Result<Vec<u8>, BrokerError> {
    let failed = |error: &dyn std::fmt::Display| BrokerError::request("fetch a bot", error);
    let store = broker.jetstream.get_object_store(BUCKET).await.map_err(|error| failed(&error))?;
    let found = store.get(&object.object).await.map_err(|error| failed(&error))?;
    let mut content = Vec::new();
    let read = found.take(MAX_OBJECT_BYTES + 1).read_to_end(&mut content).await;
    read.map_err(|error| failed(&error))?;
    if blake3::hash(&content).to_hex().as_str() == object.object {
        Ok(content)
    } else {
        Err(BrokerError::Damaged(object.name.clone()))
    }
}
