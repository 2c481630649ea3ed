//! Hosts and workers in this process, with a real NATS server between them.

mod broker;
mod proxy;
mod schedules;
mod team;
mod trust;
