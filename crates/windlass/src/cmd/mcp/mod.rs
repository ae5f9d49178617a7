//! `windlass mcp`: what was learned, and how things stand, as tools of an agent.
//!
//! The server is the official SDK's, on one thread of tokio that is built here and nowhere else. It
//! holds nothing: each call opens the store as a command does, and leaves it. stdout carries the
//! protocol only, and stdin ends it. Whoever calls a tool is an agent, whatever started the client.

mod answer;
mod argument;
mod envelope;
mod knowledge;
mod pipe;
mod reach;
mod session;
mod tool;

use std::borrow::Cow;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};

use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, CustomRequest,
    CustomResult, ErrorCode, Implementation, ListToolsResult, PaginatedRequestParams,
    ServerCapabilities, ServerConfig,
};
use rmcp::service::RequestContext;
use rmcp::transport::async_rw::AsyncRwTransport;
use rmcp::{ErrorData, RoleServer, ServerHandler, ServiceExt};
use serde_json::Value;

use self::answer::Refusal;
use self::argument::{Arguments, checked};
use self::pipe::{Input, MAX_MESSAGE, Output};
use self::tool::{Row, TOOLS};
use super::CommandError;
use crate::{Host, failure, visible};

/// What a client tells its model of the server.
const INSTRUCTIONS: &str = "What was learned in this project, kept over sessions. `recall` before \
    you dig into something that may be known, `remember` what a later session would want to know. \
    When asked to settle candidates, or to heal discoveries, \
    call `candidates`, then `settle`.";

/// Why there is no server.
#[derive(Debug, thiserror::Error)]
pub(super) enum ServerError {
    #[error("begin to serve")]
    Begin(#[source] io::Error),
}

impl CommandError for ServerError {
    fn hint(&self) -> Cow<'static, str> {
        "check how many processes and files you may have".into()
    }
}

/// Serves one client until it closes stdin.
pub(super) fn run(host: &Host) -> Result<(), ServerError> {
    let mut runtime = tokio::runtime::Builder::new_current_thread();
    let runtime = runtime.enable_time().build().map_err(ServerError::Begin)?;
    let input = Input::open().map_err(ServerError::Begin)?;
    let transport =
        AsyncRwTransport::new_server(input, Output).with_max_line_length(MAX_MESSAGE + 1);
    runtime.block_on(async {
        // A client that goes away, or says something else first, has nobody to tell it to.
        let server = Server { host: host.clone() };
        if let Ok(service) = server.serve(transport).await {
            drop(service.waiting().await);
        }
    });
    runtime.shutdown_background();
    Ok(())
}

struct Server {
    host: Host,
}

impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
            .with_server_info(Implementation::new("windlass", env!("CARGO_PKG_VERSION")))
            .with_instructions(INSTRUCTIONS)
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(TOOLS.iter().map(Row::tool).collect()))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        Ok(self.answer(&request.name, request.arguments.unwrap_or_default()).into())
    }

    /// What the SDK does not take for what it says it is comes here: a call with parameters of
    /// another form too.
    async fn on_custom_request(
        &self,
        request: CustomRequest,
        _: RequestContext<RoleServer>,
    ) -> Result<CustomResult, ErrorData> {
        match request.method.as_str() {
            "tools/call" => {
                let (name, arguments) = asked(&request.params.unwrap_or_default())?;
                let result = serde_json::to_value(self.answer(&name, arguments));
                Ok(CustomResult::new(result.unwrap_or_default()))
            }
            "tools/list" => {
                Err(invalid("`params` has what this method does not take", "leave it out"))
            }
            method => {
                let said = format!("there is no method `{}`", visible::line(method, 64));
                let refusal = Refusal::new(said, "send `tools/list` or `tools/call`");
                Err(ErrorData::new(ErrorCode::METHOD_NOT_FOUND, refusal.text(), None))
            }
        }
    }
}

impl Server {
    fn answer(&self, name: &str, arguments: Arguments) -> CallToolResult {
        match call(&self.host.at_present(), name, arguments) {
            Ok(answer) => CallToolResult::structured(answer),
            Err(refusal) => CallToolResult::error(vec![ContentBlock::text(refusal.text())]),
        }
    }
}

/// The tool and the arguments of a call that is not quite right. Some models write the arguments as
/// a text that holds them.
fn asked(params: &Value) -> Result<(String, Arguments), ErrorData> {
    let name = params["name"].as_str();
    let name = name.ok_or_else(|| invalid("`name` is no text", "give the name of a tool"))?;
    let arguments = match &params["arguments"] {
        Value::Null => Some(Arguments::new()),
        Value::Object(arguments) => Some(arguments.clone()),
        Value::String(text) if text.trim().is_empty() => Some(Arguments::new()),
        Value::String(text) => serde_json::from_str(text).ok(),
        _ => None,
    };
    match arguments {
        Some(arguments) => Ok((name.to_owned(), arguments)),
        None => Err(invalid("`arguments` is no object", "give one, or leave it out")),
    }
}

fn invalid(said: &str, next: &str) -> ErrorData {
    ErrorData::invalid_params(Refusal::new(said, next).text(), None)
}

/// Calls a tool. A fault of ours is an error of this call, and the next one is answered.
fn call(host: &Host, name: &str, arguments: Arguments) -> Result<Value, Refusal> {
    let Some(row) = Row::named(name) else {
        let names: Vec<_> = TOOLS.iter().map(|it| it.name).collect();
        let said = format!("there is no tool `{}`", visible::line(name, 64));
        return Err(Refusal::new(said, format!("call one of {}", names.join(", "))));
    };
    let arguments = checked(&(row.takes)(), arguments)?;
    catch_unwind(AssertUnwindSafe(|| (row.call)(host, arguments))).unwrap_or_else(|_| {
        failure::record(host, "answer the call of a tool", &format!("{}: a panic", row.name));
        Err(Refusal::new("a fault of windlass itself", "tell the user to run `windlass doctor`"))
    })
}
