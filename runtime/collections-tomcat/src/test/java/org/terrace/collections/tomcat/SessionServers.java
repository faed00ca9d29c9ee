package org.terrace.collections.tomcat;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.servlet.http.HttpServlet;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.apache.catalina.Context;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.startup.Tomcat;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.terrace.collections.ReplicatedCollections;
import org.terrace.collections.replication.CollectionsOptions;
import org.terrace.collections.replication.WriteLevel;
import org.terrace.core.TimeSource;
import org.terrace.groups.Discovery;
import org.terrace.groups.Group;
import org.terrace.groups.GroupOptions;
import org.terrace.groups.builtin.Groups;
import org.terrace.testing.Await;

/** Real Tomcats, each with a replica of its own, and a visitor with a cookie. */
abstract class SessionServers {
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  /** The registered attributes of sessions. */
  abstract SessionAttributes attributes();

  /** The servlet that answers. */
  abstract HttpServlet servlet();

  int serverCount() {
    return 3;
  }

  WriteLevel level() {
    return WriteLevel.ALL;
  }

  /** The options of the groups, as changed by what a test tells them. */
  GroupOptions told(GroupOptions options) {
    return options;
  }

  /** Adds to a server's application whatever it has beside the servlet. */
  void prepare(Context context, String server) {}

  /** A server with its replica. */
  record Server(
      Group group,
      ReplicatedCollections collections,
      Tomcat tomcat,
      ReplicatedSessionManager manager) {
    void close() throws LifecycleException {
      tomcat.stop();
      tomcat.destroy();
      collections.close();
      group.close();
    }
  }

  @TempDir Path folder;
  final List<Server> servers = new ArrayList<>();
  private final List<InetSocketAddress> contacts = new ArrayList<>();
  private final HttpClient client = HttpClient.newHttpClient();
  @Nullable String cookie;

  @BeforeEach
  void start() throws LifecycleException {
    for (int i = 0; i < serverCount(); i++) {
      servers.add(server("app" + i));
    }
    await(
        "all members",
        () -> servers.stream().allMatch(s -> s.group.view().members().size() == serverCount()));
  }

  final Server server(String name) throws LifecycleException {
    return server(name, TimeSource.system());
  }

  final Server server(String name, TimeSource time) throws LifecycleException {
    Group group =
        Groups.open(
            told(
                GroupOptions.of("sessions", name, Discovery.of(contacts))
                    .withAddress(InetAddress.ofLiteral("127.20.2.1"), 0)));
    contacts.add(group.self().address());
    ReplicatedCollections collections =
        ReplicatedCollections.open(group, CollectionsOptions.defaults().withTime(time));
    ReplicatedSessionManager manager =
        new ReplicatedSessionManager(collections, "sessions", attributes(), level(), time);
    Tomcat tomcat = new Tomcat();
    tomcat.setBaseDir(folder.resolve(name).toString());
    Connector connector = new Connector();
    connector.setPort(0);
    connector.setProperty("address", "127.20.2.1");
    tomcat.setConnector(connector);
    Context context = tomcat.addContext("", null);
    context.setManager(manager);
    prepare(context, name);
    Tomcat.addServlet(context, "sessions", servlet()).addMapping("/*");
    tomcat.start();
    return new Server(group, collections, tomcat, manager);
  }

  @AfterEach
  void stop() throws LifecycleException {
    for (Server server : servers) {
      server.close();
    }
    client.close();
  }

  static void await(String what, BooleanSupplier condition) {
    assertThat(Await.until(PATIENCE, condition)).as(what).isTrue();
  }

  /** The answer of a server, with the visitor's cookie kept. */
  final String get(Server server, String path) throws Exception {
    HttpResponse<String> response = send(server, path);
    assertThat(response.statusCode()).isEqualTo(200);
    return response.body();
  }

  final HttpResponse<String> send(Server server, String path) throws Exception {
    int port = server.tomcat.getConnector().getLocalPort();
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create("http://127.20.2.1:" + port + path));
    if (cookie != null) {
      request.header("Cookie", cookie);
    }
    HttpResponse<String> response =
        client.send(request.build(), HttpResponse.BodyHandlers.ofString());
    response
        .headers()
        .firstValue("Set-Cookie")
        .ifPresent(value -> cookie = value.substring(0, value.indexOf(';')));
    return response;
  }
}
