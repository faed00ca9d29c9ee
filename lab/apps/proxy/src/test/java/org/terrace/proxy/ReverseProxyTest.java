package org.terrace.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.terrace.core.TimeSource;
import org.terrace.core.process.JavaCommand;
import org.terrace.nodes.Node;
import org.terrace.nodes.NodeSpecification;
import org.terrace.nodes.NodeSpecification.Readiness;
import org.terrace.nodes.Signal;
import org.terrace.nodes.Supervisor;
import org.terrace.testing.Await;

@Timeout(60)
@Tag("real-processes")
@Tag("untimed")
class ReverseProxyTest {
  private static final Duration SOON = Duration.ofSeconds(15);
  private static final String PROXY = "127.15.1.2";

  @TempDir Path directory;
  private Supervisor supervisor;
  private Node app1;
  private HttpClient client;
  private final List<String> proxyLines = new CopyOnWriteArrayList<>();

  @BeforeEach
  void startServers() throws Exception {
    client =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .localAddress(InetAddress.getByName("127.15.9.2"))
            .build();
    supervisor = new Supervisor(directory, "proxy-" + directory.getFileName(), TimeSource.system());
    app1 = backend("app1", "127.15.2.4");
    Node app2 = backend("app2", "127.15.2.5");
    supervisor.awaitReady(app1);
    supervisor.awaitReady(app2);
    Node proxy =
        start(
            "web1",
            JavaCommand.small(
                List.of(),
                ReverseProxy.class,
                "--address",
                PROXY,
                "--port",
                "18080",
                "--backend",
                "app1=127.15.2.4:18080",
                "--backend",
                "app2=127.15.2.5:18080"));
    proxy.listen(proxyLines::add);
    supervisor.awaitReady(proxy);
  }

  private Node backend(String name, String address) {
    return start(
        name, JavaCommand.small(List.of(), EchoBackend.class, name, address, "18080", "app1"));
  }

  private Node start(String name, List<String> command) {
    return supervisor.start(NodeSpecification.of(name, command, new Readiness.Line("ready"), SOON));
  }

  @AfterEach
  void stopServers() {
    client.close();
    supervisor.close();
  }

  private HttpResponse<String> ask(String path, String route)
      throws IOException, InterruptedException {
    return client.send(request(path, route).build(), BodyHandlers.ofString());
  }

  private static HttpRequest.Builder request(String path, String route) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create("http://" + PROXY + ":18080" + path));
    return route.isEmpty()
        ? request
        : request.header("Cookie", BalancingClient.ROUTE_COOKIE + "=" + route);
  }

  @Test
  void requestsAreSharedOutFromTheProxysOwnAddressAndSessionsStick() throws Exception {
    Set<String> answers = new TreeSet<>();
    for (int index = 0; index < 10; index++) {
      answers.add(ask("/", "").body());
    }
    assertThat(answers)
        .containsExactly("app1 " + PROXY + " 127.15.9.2", "app2 " + PROXY + " 127.15.9.2");

    HttpResponse<String> first = ask("/", "");
    String route = first.body().substring(0, 4);
    assertThat(first.headers().firstValue("Set-Cookie"))
        .hasValueSatisfying(cookie ->
            assertThat(cookie).startsWith(BalancingClient.ROUTE_COOKIE + "=" + route + ";"));
    for (int index = 0; index < 10; index++) {
      HttpResponse<String> next = ask("/", route);
      assertThat(next.body()).startsWith(route);
      assertThat(next.headers().firstValue("Set-Cookie")).isEmpty();
    }
  }

  @Test
  void aRequestInFlightOnAKilledServerIsSentToAnotherIfItMayBeRepeated() throws Exception {
    List<String> appLines = new CopyOnWriteArrayList<>();
    app1.listen(appLines::add);
    CompletableFuture<HttpResponse<String>> get =
        client.sendAsync(request("/hang", "app1").build(), BodyHandlers.ofString());
    CompletableFuture<HttpResponse<String>> post =
        client.sendAsync(
            request("/hang", "app1").POST(HttpRequest.BodyPublishers.ofString("x")).build(),
            BodyHandlers.ofString());
    assertThat(Await.until(SOON, () -> appLines.size() == 2)).isTrue();
    app1.kill();

    assertThat(get.get().statusCode()).isEqualTo(200);
    assertThat(get.get().body()).isEqualTo("app2");
    assertThat(post.get().statusCode()).isEqualTo(503);
    for (int index = 0; index < 20; index++) {
      HttpResponse<String> moved = ask("/", "app1");
      assertThat(moved.body()).startsWith("app2");
      assertThat(moved.headers().firstValue("Set-Cookie")).isPresent();
    }
    assertThat(Await.until(SOON, () -> saw("backend app1 down"))).isTrue();

    supervisor.awaitReady(backend("app1", "127.15.2.4"));
    assertThat(Await.until(SOON, () -> saw("backend app1 up"))).isTrue();
    assertThat(ask("/", "app1").body()).startsWith("app1");
  }

  @Test
  void aServerThatHangsIsPassedOverUntilItAnswersAgain() throws Exception {
    app1.signal(Signal.STOP);
    assertThat(Await.until(SOON, () -> saw("backend app1 down"))).isTrue();
    assertThat(ask("/", "app1").body()).startsWith("app2");
    app1.signal(Signal.CONT);
    assertThat(Await.until(SOON, () -> saw("backend app1 up"))).isTrue();
    assertThat(ask("/", "app1").body()).startsWith("app1");
  }

  @Test
  @Tag("long")
  void aServerTooBusyForHealthChecksIsKeptWhileItAnswersOtherRequests() throws Exception {
    List<String> asked = new CopyOnWriteArrayList<>();
    Node deaf = backend("deaf1", "127.15.2.6");
    deaf.listen(asked::add);
    supervisor.awaitReady(deaf);
    Node proxy =
        start(
            "web2",
            JavaCommand.small(
                List.of(),
                ReverseProxy.class,
                "--address",
                "127.15.1.3",
                "--port",
                "18080",
                "--backend",
                "deaf1=127.15.2.6:18080"));
    proxy.listen(proxyLines::add);
    supervisor.awaitReady(proxy);
    HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.15.1.3:18080/")).build();
    while (asked.stream().filter(line -> line.equals("asked")).count() < 4) {
      assertThat(client.send(request, BodyHandlers.ofString()).statusCode()).isEqualTo(200);
    }
    assertThat(saw("backend deaf1 down")).isFalse();
    assertThat(Await.until(SOON, () -> saw("backend deaf1 down"))).isTrue();
  }

  private boolean saw(String start) {
    return new ArrayList<>(proxyLines).stream().anyMatch(line -> line.startsWith(start));
  }
}
