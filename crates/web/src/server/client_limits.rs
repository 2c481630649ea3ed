//! Limits on the requests and the streams of one client.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::pin::Pin;
use std::sync::Once;
use std::task::{Context, Poll};

use axum::Extension;
use axum::body::{Body, HttpBody};
use axum::extract::State;
use axum::http::{Request, header};
use axum::middleware::Next;
use axum::response::Response;
use hyper::body::{Bytes, Frame, SizeHint};

use super::middleware::refusal;
use crate::Problem;
use crate::requests::client_address::{ClientAddress, is_forwarded};
use crate::requests::client_slots::ClientSlot;
use crate::site::Site;

/// Finds out from which client a request comes, which handlers then know as [`ClientAddress`], and refuses it if the client
/// has too many requests or streams already.
pub(super) async fn limit_client(
    State(site): State<Site>,
    peer: Option<Extension<SocketAddr>>,
    mut request: Request<Body>,
    next: Next,
) -> Response {
    // Without a connection, as in tests.
    let unknown = IpAddr::V4(Ipv4Addr::LOCALHOST);
    let peer = peer.map_or(unknown, |Extension(peer)| peer.ip());
    let client = ClientAddress::of(peer, request.headers(), &site.config().trusted_proxies);
    let is_of_unnamed_proxy =
        is_forwarded(request.headers()) && client == ClientAddress::direct(peer);
    let path = request.uri().path().to_owned();
    let too_many = || {
        if is_of_unnamed_proxy {
            report_unnamed_proxy(peer);
        }
        let text =
            "too many requests at a time from your address: close other pages of this server";
        refusal(Problem::RateLimited(text.to_owned()), &path)
    };
    let Some(slot) = site.requests().take(client) else { return too_many() };
    request.extensions_mut().insert(client);
    let response = next.run(request).await;
    let stream = if is_stream(&response) {
        let Some(stream) = site.streams().take(client) else { return too_many() };
        Some(stream)
    } else {
        None
    };
    response.map(|body| Body::new(CountedBody { body, _slots: (slot, stream) }))
}

/// Tells the host once why clients are refused that have done nothing wrong.
fn report_unnamed_proxy(peer: IpAddr) {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        eprintln!(
            "{peer} forwards requests of others, which share the limits of one client: if it is your proxy, start with --trusted-proxy {peer}"
        );
    });
}

fn is_stream(response: &Response) -> bool {
    let kind = response.headers().get(header::CONTENT_TYPE);
    kind.is_some_and(|kind| kind.as_bytes().starts_with(b"text/event-stream"))
}

/// A body that keeps its client's slots until it is sent.
struct CountedBody {
    body: Body,
    _slots: (ClientSlot, Option<ClientSlot>),
}

impl HttpBody for CountedBody {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        Pin::new(&mut self.body).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
