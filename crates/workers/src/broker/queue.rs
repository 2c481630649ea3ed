//! The queue of orders, in a stream of JetStream.

use std::ops::Range;
use std::time::Duration;

use async_nats::jetstream::consumer::{AckPolicy, PullConsumer, pull};
use async_nats::jetstream::message::PublishMessage;
use async_nats::jetstream::stream::{Config, RetentionPolicy, StorageType};
use async_nats::jetstream::{AckKind, Message};
use futures_util::StreamExt;

use super::connection::Broker;
use super::error::BrokerError;
use super::subjects::Subjects;
use crate::id::Id;

/// How long a worker may give no sign of life until its range goes to another one.
pub(crate) const LEASE: Duration = Duration::from_secs(6);
/// The stream of all orders.
const STREAM: &str = "dicehill-work";
/// How long an order is kept that no worker takes, such as one of a host that was killed.
const MAX_AGE: Duration = Duration::from_secs(3600);
/// How long the queue of a run is kept without workers.
const UNUSED: Duration = Duration::from_secs(1800);
/// The most orders in progress.
const MAX_IN_PROGRESS: i64 = 100_000;
/// The least and the most milliseconds for which an order that a worker has left is offered to no worker.
const LEFT: Range<u64> = 100..600;

/// The queue of the orders of a run. It is kept in memory: a host that misses something hands it out again.
#[derive(Clone)]
pub(crate) struct WorkQueue {
    broker: Broker,
    run: Id,
}

/// An order that a worker has pulled.
pub(crate) struct Pulled(Message);

impl WorkQueue {
    pub(crate) const fn new(broker: Broker, run: Id) -> Self {
        Self { broker, run }
    }

    /// Makes the queue if it is missing. Returns whether it was.
    ///
    /// # Errors
    /// If the server refuses it.
    pub(crate) async fn make(&self) -> Result<bool, BrokerError> {
        let jetstream = &self.broker.jetstream;
        let failed = |error: &dyn std::fmt::Display| {
            BrokerError::request("make a queue in JetStream", error)
        };
        let known = jetstream.get_stream_no_info(STREAM).await;
        let known = known.map_err(|error| failed(&error))?;
        let has_stream = known.get_info().await.is_ok();
        let stream = match has_stream {
            true => known,
            false => {
                let made = jetstream.create_stream(stream_config()).await;
                made.map_err(|error| failed(&error))?;
                known
            }
        };
        let name = self.run.to_string();
        if has_stream && stream.consumer_info(&name).await.is_ok() {
            return Ok(false);
        }
        let made = stream.create_consumer(self.consumer_config()).await;
        made.map(|_| true).map_err(|error| failed(&error))
    }

    fn consumer_config(&self) -> pull::Config {
        pull::Config {
            durable_name: Some(self.run.to_string()),
            filter_subject: Subjects::work(self.run),
            ack_policy: AckPolicy::Explicit,
            ack_wait: LEASE,
            max_deliver: -1,
            max_ack_pending: MAX_IN_PROGRESS,
            max_waiting: MAX_IN_PROGRESS,
            inactive_threshold: UNUSED,
            memory_storage: true,
            ..pull::Config::default()
        }
    }

    /// Puts an order into the queue. An order with the same id is there once.
    ///
    /// # Errors
    /// If the server does not acknowledge it.
    pub(crate) async fn publish(&self, order: Vec<u8>, id: &str) -> Result<(), BrokerError> {
        let failed = |error: &dyn std::fmt::Display| BrokerError::request("hand out games", error);
        let message = PublishMessage::build().payload(order.into()).message_id(id);
        let sent = self.broker.jetstream.send_publish(Subjects::work(self.run), message).await;
        let acknowledged = sent.map_err(|error| failed(&error))?.await;
        acknowledged.map(drop).map_err(|error| failed(&error))
    }

    /// Removes the queue and its orders.
    pub(crate) async fn remove(&self) {
        let jetstream = &self.broker.jetstream;
        let Ok(stream) = jetstream.get_stream_no_info(STREAM).await else { return };
        // What is left is removed by its age.
        let _kept = stream.delete_consumer(&self.run.to_string()).await;
        let _kept = stream.purge().filter(Subjects::work(self.run)).await;
    }

    /// Waits for an order for this long.
    ///
    /// # Errors
    /// If there is no such queue.
    pub(crate) async fn pull(&self, time: Duration) -> Result<Option<Pulled>, BrokerError> {
        let failed = |error: &dyn std::fmt::Display| BrokerError::request("get work", error);
        let name = self.run.to_string();
        let consumer = self.broker.jetstream.get_consumer_from_stream(name, STREAM).await;
        let consumer: PullConsumer = consumer.map_err(|error| failed(&error))?;
        let batch = consumer.batch().max_messages(1).expires(time).messages().await;
        let mut batch = batch.map_err(|error| failed(&error))?;
        let message = batch.next().await.transpose().map_err(|error| failed(&error))?;
        Ok(message.map(Pulled))
    }
}

impl Pulled {
    pub(crate) fn payload(&self) -> &[u8] {
        &self.0.payload
    }

    /// Keeps the lease.
    pub(crate) async fn keep(&self) {
        let _lost = self.0.ack_with(AckKind::Progress).await;
    }

    /// Removes the order from the queue.
    pub(crate) async fn finish(&self) {
        let _lost = self.0.ack().await;
    }

    /// Leaves the order to another worker. It comes back after a while, so that those behind it come first; a random one, because
    /// the queue would offer it to the same worker again and again if that waited for it in step.
    pub(crate) async fn leave(&self) {
        let random = getrandom::u64().unwrap_or_default() % (LEFT.end - LEFT.start);
        let pause = Duration::from_millis(LEFT.start + random);
        let _lost = self.0.ack_with(AckKind::Nak(Some(pause))).await;
    }
}

fn stream_config() -> Config {
    Config {
        name: STREAM.to_owned(),
        description: Some("The orders of dicehill runs".to_owned()),
        subjects: vec![Subjects::WORK.to_owned()],
        retention: RetentionPolicy::WorkQueue,
        storage: StorageType::Memory,
        max_age: MAX_AGE,
        num_replicas: 1,
        ..Config::default()
    }
}
