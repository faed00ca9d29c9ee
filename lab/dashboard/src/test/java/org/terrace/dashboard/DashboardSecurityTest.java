package org.terrace.dashboard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;
import org.terrace.core.TimeSource;
import org.terrace.dashboard.http.PageServer;
import org.terrace.testing.Await;

/** The dashboard against whoever should see nothing. */
@Tag("real-processes")
@Tag("untimed")
class DashboardSecurityTest {
  private static final String SECRET = "what nobody may read";

  @TempDir Path folder;
  private Path served;
  private Dashboard dashboard;

  @BeforeEach
  void start() throws IOException {
    served = Files.createDirectory(folder.resolve("served"));
    SampleResults.analysis(served.resolve("good"), 2_000);
    Path secret = Files.createDirectory(folder.resolve("secret"));
    SampleResults.analysis(secret.resolve("result"), 2_000);
    Files.writeString(secret.resolve("result/specification.yaml"), SECRET);
    Files.writeString(folder.resolve("findings.json"), SECRET);
    dashboard =
        Dashboard.start(
            new DashboardOptions(served, "127.0.0.1", 0, Optional.empty()), TimeSource.system());
  }

  @AfterEach
  void stop() {
    dashboard.close();
  }

  private RawHttp.Answer get(String target, String... headers) {
    return RawHttp.get(dashboard.port(), target, headers);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/result/../secret/result",
        "/result/%2e%2e/secret/result",
        "/result/..%2fsecret%2fresult",
        "/result/good/..%2f..%2f..%2fsecret%2fresult",
        "/result/%252e%252e/secret/result",
        "/result/good%00/x",
        "/result/..%5csecret%5cresult",
        "/result//secret/result",
        "/result/%2fsecret/result",
        "/result/.%2e/secret/result",
        "/result/link/result",
        "/result/good/",
        "/files/../secret/result?name=specification.yaml",
        "/files/good?name=../../secret/result/specification.yaml",
        "/files/good?name=%2e%2e%2f%2e%2e%2fsecret%2fresult%2fspecification.yaml",
        "/files/good?name=/etc/passwd",
        "/files/good?name=../../large.img",
        "/files/good?name=large.img",
        "/files/good?name=facts.json",
        "/files/link/result?name=specification.yaml",
        "/files/file-link?name=specification.yaml",
        "/files?name=findings.json",
        "/report/../secret/result",
        "/report/link/result",
        "/report/file-link",
        "/packets/../secret/result?server=app1&stall=0",
        "/live/%2e%2e/secret/result",
        "/plan/%2e%2e/secret",
        "/assets/../../Dashboard.class",
        "/assets/%2e%2e%2fDashboard.class",
        "/assets/..%2fmodule-info.class",
        "/compare?before=/../secret/result&after=/good",
        "/compare?before=%2f%2e%2e%2fsecret%2fresult&after=%2fgood",
        "/compare?before=/link/result&after=/good",
        "/compare?before=/linked-group&after=/good",
        "/result/%c0%ae%c0%ae/secret",
        "/result/%",
        "/result/%zz",
      })
  void nothingBesideTheDirectoryIsEverSeen(String target) throws IOException {
    Files.createSymbolicLink(served.resolve("link"), folder.resolve("secret"));
    Path linked = SampleResults.analysis(served.resolve("file-link"), 2_000);
    Files.createSymbolicLink(
        linked.resolve("specification.yaml"), folder.resolve("secret/result/specification.yaml"));
    Path group = Files.createDirectory(served.resolve("linked-group"));
    Files.createSymbolicLink(group.resolve("1"), folder.resolve("secret/result"));
    large(folder.resolve("large.img"));
    large(served.resolve("good/large.img"));

    RawHttp.Answer answer = get(target);

    assertThat(answer.text()).doesNotContain(SECRET).doesNotContain("root:");
    if (target.startsWith("/compare")) {
      assertThat(answer.text())
          .contains("cannot be compared")
          .doesNotContain("Figure by figure</h2");
    } else if (!target.equals("/result/good/")) {
      assertThat(answer.status()).isIn(400, 404);
    }
  }

  /** A file of more than is read at once, which takes no room on disk. */
  private static void large(Path file) throws IOException {
    try (RandomAccessFile sparse = new RandomAccessFile(file.toFile(), "rw")) {
      sparse.setLength(300L << 20);
    }
  }

  @Test
  void aLinkBelowTheDirectoryIsNotListedAndNoReaderFollowsOne() throws IOException {
    Files.createSymbolicLink(served.resolve("link"), folder.resolve("secret"));
    Path faked = Files.createDirectory(served.resolve("faked"));
    Files.createSymbolicLink(
        faked.resolve("findings.json"), folder.resolve("secret/result/findings.json"));
    Path mesh = Files.createDirectory(served.resolve("mesh"));
    Files.createSymbolicLink(mesh.resolve("mesh.json"), folder.resolve("findings.json"));
    Path progress = Files.createDirectory(served.resolve("x.unfinished"));
    Files.createSymbolicLink(progress.resolve("progress.jsonl"), folder.resolve("findings.json"));

    RawHttp.Answer answer = get("/");

    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.text())
        .contains("href=\"/result/good\"")
        .doesNotContain("/result/link", "/result/faked", "/result/mesh", "x.unfinished");
    assertThat(get("/result/faked").status()).isEqualTo(404);
    assertThat(get("/result/mesh").status()).isEqualTo(404);
    assertThat(get("/live/x.unfinished").status()).isEqualTo(404);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "evil.example",
        "evil.example:80",
        "",
        "127.0.0.1.evil.example",
        "localhost.evil.example",
        "localhost@evil.example",
        "192.0.2.1",
        "[2001:db8::1]"
      })
  void aNameThatIsNotThisServersIsRefused(String host) {
    RawHttp.Answer answer = RawHttp.ask(dashboard.port(), "GET", "/", host, "");

    assertThat(answer.status()).isIn(400, 421);
    assertThat(answer.text()).doesNotContain("good");
  }

  @ParameterizedTest
  @ValueSource(strings = {"localhost", "127.0.0.1", "[::1]", "localhost:9", "LOCALHOST"})
  void itsOwnNamesAreKnownUnderAnyPort(String host) {
    assertThat(RawHttp.ask(dashboard.port(), "GET", "/", host, "").status()).isEqualTo(200);
  }

  @Test
  void twoHostsAreNone() {
    String request = "GET / HTTP/1.1\r\nHost: localhost\r\nHost: evil\r\nConnection: close\r\n\r\n";

    assertThat(RawHttp.send(dashboard.port(), request).status()).isIn(400, 421);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"/", "/result/good", "/report/good", "/compare", "/assets/dashboard.js", "/none"})
  void everyAnswerForbidsWhatItDoesNotNeed(String target) {
    RawHttp.Answer answer = get(target);
    String policy = answer.header("Content-Security-Policy");

    assertThat(policy)
        .startsWith("default-src 'none'")
        .contains("frame-ancestors 'none'", "base-uri 'none'")
        .doesNotContain("unsafe", "http:", "https:", "*");
    assertThat(answer.all("Content-Security-Policy")).hasSize(1);
    assertThat(answer.header("X-Content-Type-Options")).isEqualTo("nosniff");
    assertThat(answer.header("Referrer-Policy")).isEqualTo("same-origin");
    assertThat(answer.header("Cross-Origin-Resource-Policy")).isEqualTo("same-origin");
    assertThat(answer.all("Access-Control-Allow-Origin")).isEmpty();
    if (!target.startsWith("/report")) {
      assertThat(answer.text()).doesNotContain("<script>", "<style", " onclick", " style=");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "CONNECT"})
  void nothingCanBeChanged(String method) throws IOException {
    List<String> before = names();

    RawHttp.Answer answer =
        RawHttp.ask(dashboard.port(), method, "/result/good", "localhost", "x=1");

    assertThat(answer.status()).isIn(400, 405);
    assertThat(names()).isEqualTo(before);
  }

  @Test
  void readingWritesNothing() throws IOException {
    Files.delete(served.resolve("good/report.html"));
    List<String> before = names();

    assertThat(get("/").status()).isEqualTo(200);
    assertThat(get("/result/good").status()).isEqualTo(200);
    assertThat(get("/report/good").status()).isEqualTo(200);

    assertThat(names()).isEqualTo(before);
  }

  private List<String> names() throws IOException {
    try (Stream<Path> files = Files.walk(served)) {
      return files
          .map(file -> {
            try {
              return file + " " + Files.getLastModifiedTime(file);
            } catch (IOException e) {
              throw new UncheckedIOException(e);
            }
          })
          .sorted()
          .toList();
    }
  }

  @Test
  void pagesOfOtherSitesGetNothing() {
    assertThat(get("/", "Origin: http://evil.example").status()).isEqualTo(403);
    assertThat(get("/rows", "Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: cors").status())
        .isEqualTo(403);
    assertThat(get("/", "Origin: null").status()).isEqualTo(403);
    assertThat(get("/", "Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: navigate").status())
        .isEqualTo(200);
    assertThat(get("/", "Origin: http://localhost:" + dashboard.port()).status()).isEqualTo(200);
  }

  @Test
  void theNamesOfResultsAreTextAndNeverMarkup() {
    SampleResults.analysis(served.resolve("<img src=x onerror=alert(1)>\"'&"), 2_000);

    RawHttp.Answer answer = get("/");

    assertThat(answer.text()).contains("&lt;img src=x").doesNotContain("<img");
    assertThat(get("/?q=%3Cscript%3Ealert(1)%3C/script%3E&state=%22%3E%3Ci%3E").text())
        .doesNotContain("<script>alert", "<i>");
    assertThat(get("/compare?margin=%3Cscript%3E&before=%3Cscript%3E").text())
        .doesNotContain("<script>");
  }

  @Test
  void requestsHaveLimits() {
    assertThat(get("/?q=" + "a".repeat(20_000)).status()).isEqualTo(400);
    assertThat(get("/" + "a/".repeat(3_000)).status()).isIn(400, 404);
    RawHttp.Answer headers = get("/", "X-Long: " + "a".repeat(64 << 10));
    assertThat(headers.status()).isNotEqualTo(200);
  }

  @Test
  void damagedResultsAreToldOfAndOtherPagesGoOn() throws IOException {
    Path damaged = SampleResults.analysis(served.resolve("damaged"), 2_000);
    String findings = Files.readString(damaged.resolve("findings.json"));
    Files.delete(damaged.resolve("report.html"));
    Files.write(damaged.resolve("requests.parquet"), new byte[100]);
    assertThat(get("/report/damaged").status()).isIn(422, 500);
    for (int cut = 1; cut < 40; cut++) {
      Files.writeString(
          damaged.resolve("findings.json"), findings.substring(0, findings.length() * cut / 40));
      assertThat(get("/result/damaged").status()).isIn(200, 422, 500);
      assertThat(get("/").status()).isEqualTo(200);
    }
    Files.writeString(damaged.resolve("findings.json"), "[]");
    assertThat(get("/result/damaged").status()).isIn(422, 500);
    Path mesh = Files.createDirectory(served.resolve("mesh"));
    for (String text :
        List.of("", "{}", "[1]", "{\"format\":\"terrace-mesh/1\",\"name\":\"m\",\"trials\":[]}")) {
      Files.writeString(mesh.resolve("mesh.json"), text);
      assertThat(get("/result/mesh").status()).as(text).isIn(200, 422, 500);
      assertThat(get("/plan/mesh").status()).as(text).isIn(422, 500);
    }
    assertThat(get("/").text()).contains("/result/good");
  }

  @Test
  void aLinkBesideTheDirectoryIsNotFollowed() throws IOException {
    Path beside = Files.createDirectory(folder.resolve("served.unfinished"));
    Files.writeString(beside.resolve("progress.jsonl"), "");
    Files.createSymbolicLink(
        beside.resolve("specification.yaml"), folder.resolve("secret/result/specification.yaml"));

    assertThat(get("/files?name=specification.yaml").status()).isEqualTo(404);
    assertThat(get("/result").status()).isEqualTo(404);
  }

  @Test
  void aMeshThatIsTooLargeIsNotRead() throws IOException {
    Path mesh = Files.createDirectory(served.resolve("mesh"));
    large(mesh.resolve("mesh.json"));

    assertThat(get("/").text()).contains("mesh.json cannot be read: it has more than");
    assertThat(get("/result/mesh").text()).contains("has more than");
    assertThat(get("/plan/mesh").status()).isEqualTo(422);
  }

  @Test
  void readersThatDoNotReadAreCutOff() throws IOException {
    try (RandomAccessFile file =
        new RandomAccessFile(served.resolve("good/capture.pcapng").toFile(), "rw")) {
      file.setLength(32L << 20);
    }
    List<Socket> idle = new ArrayList<>();
    try {
      for (int i = 0; i < PageServer.MOST_ANSWERS; i++) {
        Socket socket = new Socket();
        idle.add(socket);
        socket.setReceiveBufferSize(4_096);
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), dashboard.port()));
        socket
            .getOutputStream()
            .write(
                "GET /files/good?name=capture.pcapng HTTP/1.1\r\nHost: localhost\r\n\r\n"
                    .getBytes(StandardCharsets.US_ASCII));
      }
      assertThat(Await.until(Duration.ofSeconds(20), () -> get("/").status() == 503))
          .as("all are taken")
          .isTrue();

      assertThat(Await.until(Duration.ofSeconds(60), () -> get("/").status() == 200))
          .as("and free again")
          .isTrue();
    } finally {
      for (Socket socket : idle) {
        socket.close();
      }
    }
  }

  @Test
  void aPortThatIsTakenIsSaid() throws IOException {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      assertThatThrownBy(() ->
              Dashboard.start(
                  new DashboardOptions(served, "127.0.0.1", taken.getLocalPort(), Optional.empty()),
                  TimeSource.system()))
          .isInstanceOfSatisfying(
              TerraceException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.MACHINE_LACKS))
          .hasMessageContaining("127.0.0.1:" + taken.getLocalPort())
          .hasMessageContaining("--port 0");
    }
  }
}
