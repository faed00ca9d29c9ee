package org.terrace.protocols.http2;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.catalina.Context;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.startup.Tomcat;
import org.apache.coyote.http2.Http2Protocol;

/** A real Tomcat that speaks HTTP/2 without TLS, and the JDK's client, which upgrades to it. */
final class TomcatPeer implements AutoCloseable {
  private final Tomcat tomcat = new Tomcat();

  TomcatPeer(Path directory) throws LifecycleException {
    tomcat.setBaseDir(directory.toString());
    Connector connector = new Connector();
    connector.setPort(0);
    connector.setProperty("address", "127.0.0.1");
    connector.addUpgradeProtocol(new Http2Protocol());
    tomcat.setConnector(connector);
    Context context = tomcat.addContext("", directory.toString());
    Tomcat.addServlet(context, "echo", new EchoServlet()).addMapping("/*");
    tomcat.start();
  }

  int port() {
    return tomcat.getConnector().getLocalPort();
  }

  /** Asks for pages, the first of which upgrades the connection, and for many at once. */
  static void ask(int port, int times) throws IOException, InterruptedException {
    String address = "http://127.0.0.1:" + port;
    try (HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_2).build()) {
      client.send(HttpRequest.newBuilder(URI.create(address + "/first")).build(), body());
      for (int i = 0; i < times; i++) {
        URI item = URI.create(address + "/items/" + i + "?user=ann");
        client.send(HttpRequest.newBuilder(item).build(), body());
        client.send(
            HttpRequest.newBuilder(item).POST(BodyPublishers.ofByteArray(new byte[2_000])).build(),
            body());
      }
      client.send(HttpRequest.newBuilder(URI.create(address + "/missing")).build(), body());
      List<CompletableFuture<HttpResponse<byte[]>>> answers = new ArrayList<>();
      for (int i = 0; i < times; i++) {
        HttpRequest request =
            HttpRequest.newBuilder(URI.create(address + "/large"))
                .PUT(BodyPublishers.ofByteArray(new byte[17_000]))
                .build();
        answers.add(client.sendAsync(request, body()));
      }
      answers.forEach(CompletableFuture::join);
    }
  }

  private static HttpResponse.BodyHandler<byte[]> body() {
    return BodyHandlers.ofByteArray();
  }

  @Override
  public void close() throws LifecycleException {
    tomcat.stop();
    tomcat.destroy();
  }

  /** A page, or the answer that says what was said. */
  private static final class EchoServlet extends HttpServlet {
    private static final long serialVersionUID = 1L;

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response)
        throws IOException {
      byte[] said = request.getInputStream().readAllBytes();
      if (request.getRequestURI().equals("/missing")) {
        response.setStatus(HttpServletResponse.SC_NOT_FOUND);
      }
      response.getOutputStream().write(said.length > 0 ? said : new byte[300]);
    }
  }
}
