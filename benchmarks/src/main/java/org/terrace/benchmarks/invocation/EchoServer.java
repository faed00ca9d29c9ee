package org.terrace.benchmarks.invocation;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.concurrent.CountDownLatch;
import org.terrace.control.Style;
import org.terrace.invocation.server.ServerOptions;
import org.terrace.invocation.server.ServiceServer;
import org.terrace.middleware.CallReply;
import org.terrace.middleware.Endpoint;
import org.terrace.middleware.Middlewares;

/** A process that echoes: {@code EchoServer SUBJECT NAME}. */
public final class EchoServer {
  /** The address at which all servers of the benchmark listen. */
  static final String HOST = "127.29.2.1";

  private EchoServer() {}

  /** Serves until it is killed. */
  public static void main(String[] arguments) throws IOException, InterruptedException {
    Endpoint endpoint = open(Subject.named(arguments[0]), arguments[1]);
    System.out.printf(
        "ready %s %s %d %s%n",
        endpoint.middleware(), endpoint.host(), endpoint.port(), endpoint.key());
    new CountDownLatch(1).await();
  }

  private static Endpoint open(Subject subject, String name) throws IOException {
    return switch (subject) {
      case SOCKET_ECHO -> new Endpoint(name, "socket", HOST, SocketEcho.listen(HOST), "");
      case GRPC -> new Endpoint(name, "grpc", HOST, GrpcEcho.listen(HOST, false), "");
      case GRPC_DIRECT -> new Endpoint(name, "grpc", HOST, GrpcEcho.listen(HOST, true), "");
      case TERRACE -> terrace(name, Style.NONE);
      case TERRACE_WARM_PASSIVE -> terrace(name, Style.WARM_PASSIVE);
      case JACORB, GLASSFISH, EJBD ->
          Middlewares.byName(subject.toString())
              .listen(
                  new InetSocketAddress(HOST, 0),
                  request -> new CallReply(CallReply.Status.RESULT, request.arguments()))
              .endpoint(name);
    };
  }

  private static Endpoint terrace(String name, Style style) {
    ServiceServer server =
        ServiceServer.open(
            ServerOptions.of(name)
                .withUnsharedReplies()
                .withAddress(new InetSocketAddress(HOST, 0)));
    server.export("echo", Echo.class, bytes -> bytes, style);
    return server.endpoint();
  }
}
