#include "rules/calls.h"

/* Functions that say more than the state of who stands in them. */
static const struct {
    struct str function;
    struct str words;
} calls[] = {
    {STR_INIT("net/http.(*persistConn).roundTrip"),
     STR_INIT("an HTTP response")},
    {STR_INIT("net/http.(*http2ClientConn).roundTrip"),
     STR_INIT("an HTTP response")},
    {STR_INIT("net/http.(*http2ClientConn).RoundTrip"),
     STR_INIT("an HTTP response")},
    {STR_INIT("golang.org/x/net/http2.(*ClientConn).roundTrip"),
     STR_INIT("an HTTP response")},
    {STR_INIT("net/http.(*Transport).getConn"), STR_INIT("an HTTP connection")},
    {STR_INIT("net/http.(*bodyEOFSignal).Read"),
     STR_INIT("the body of an HTTP response")},
    {STR_INIT("net/http.(*body).Read"),
     STR_INIT("the body of an HTTP request")},
    {STR_INIT("net/http.(*response).Write"),
     STR_INIT("an HTTP client to read its response")},
    {STR_INIT("net/http.(*response).Flush"),
     STR_INIT("an HTTP client to read its response")},
    {STR_INIT("google.golang.org/grpc.(*ClientConn).Invoke"),
     STR_INIT("a gRPC response")},
    {STR_INIT("google.golang.org/grpc.(*clientStream).RecvMsg"),
     STR_INIT("a gRPC message")},
    {STR_INIT("net/rpc.(*Client).Call"), STR_INIT("an RPC reply")},
    {STR_INIT("crypto/tls.(*Conn).HandshakeContext"),
     STR_INIT("a TLS handshake")},
    {STR_INIT("io.(*pipe).read"), STR_INIT("the writer of an io.Pipe")},
    {STR_INIT("io.(*pipe).write"), STR_INIT("the reader of an io.Pipe")},
    {STR_INIT("database/sql.(*DB).conn"), STR_INIT("a database connection")},
    {STR_INIT("os/exec.(*Cmd).Wait"), STR_INIT("a child process")},
    {STR_INIT("os.(*Process).Wait"), STR_INIT("a child process")},
    {STR_INIT("net.(*Dialer).DialContext"),
     STR_INIT("a connection to be made")},
    {STR_INIT("net.(*Resolver).lookupIPAddr"),
     STR_INIT("a name to be resolved")},
    {STR_INIT("net.(*conn).Read"), STR_INIT("a peer to send")},
    {STR_INIT("net.(*conn).Write"), STR_INIT("a peer to read")},
};

static struct str words_of(struct str function)
{
    for (size_t i = 0; i < sizeof(calls) / sizeof(calls[0]); i++) {
        if (str_equal(function, calls[i].function))
            return calls[i].words;
    }
    return (struct str){0};
}

/* The outermost call says most: a response is written to a connection. */
struct str calls_wait_for(const struct symbols *symbols, stack_id id,
                          frame_id frame)
{
    struct stack stack = symbols_stack(symbols, id);
    uint32_t end = 0;

    while (end < stack.n_frames && stack.frames[end] != frame)
        end++;
    while (end && end < stack.n_frames) {
        struct str words =
            words_of(symbols_function(symbols, stack.frames[--end]));

        if (words.len)
            return words;
    }
    return (struct str){0};
}
