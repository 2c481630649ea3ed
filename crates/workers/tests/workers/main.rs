//! Hosts and workers in this process, with a real NATS server between them.

mod broker;
mod proxy;
mod random;
mod schedules;
mod simulation;
mod team;
mod trust;
