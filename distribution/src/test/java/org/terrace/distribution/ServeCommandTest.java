package org.terrace.distribution;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.terrace.core.process.Keeper;
import org.terrace.testing.Await;

/** The dashboard as a user starts it, beside a run that it shows. */
@Timeout(300)
@Tag("real-processes")
@Tag("untimed")
@Tag("long")
class ServeCommandTest {
  private static final Path HOME = SourceTree.root().resolve("distribution/target/terrace");
  private static final Duration WITHIN = Duration.ofMinutes(2);
  private static final String SPECIFICATION =
      """
      kind: Experiment
      name: watched
      topology: 0/1/0/1
      load: {closed: {users: 5, think: exp(200ms)}, mix: browse-only}
      phases: {rampUp: 1s, run: 6s, rampDown: 1s}
      faults: [{gc-pressure: app1, at: 1s, for: 1s}]
      observe: {packets: false, sample: 1s}
      data: {scale: 0.001, seed: 1}
      network: 127.36
      """;

  @TempDir Path directory;

  @BeforeAll
  static void requireDistribution() {
    Assumptions.assumeTrue(
        Files.isDirectory(HOME.resolve("apps/board")) && Files.isDirectory(HOME.resolve("lib")),
        "the distribution is laid out by ./build or ./terrace, not by a test of one class");
  }

  @Test
  void aRunIsSeenWhileItWorks() throws Exception {
    Path specification = Files.writeString(directory.resolve("watched.yaml"), SPECIFICATION);
    Path out = Files.createDirectory(directory.resolve("out"));
    Process serve = start("serve", "--port", "0", out.toString());
    String address = serve.inputReader(StandardCharsets.UTF_8).readLine();
    assertThat(address).startsWith("http://127.0.0.1:");

    Process run =
        start(
            "run", "--quiet", specification.toString(), "--out", out.resolve("watched").toString());
    boolean listed = await(address, "1 running");
    boolean followed = await(address + "live/watched.unfinished", "Throughput", "svg");
    boolean broken = await(address + "result/watched.unfinished", "gc pressure app1");
    int exitCode = run.waitFor();
    boolean complete = await(address, "0 running", "/result/watched\"");

    assertThat(listed).as("listed").isTrue();
    assertThat(followed).as("followed").isTrue();
    assertThat(broken).as("broken").isTrue();
    assertThat(exitCode).isLessThanOrEqualTo(1);
    assertThat(complete).as("complete").isTrue();
    assertThat(get(address + "report/watched"))
        .isEqualTo(Files.readString(out.resolve("watched/report.html")));

    new ProcessBuilder("kill", "-INT", Long.toString(serve.pid())).start().waitFor();
    assertThat(serve.waitFor()).isZero();
  }

  @Test
  void aPortThatIsTakenEndsItWithItsOwnCodeAndOneSentence() throws Exception {
    Process first = start("serve", "--port", "0", directory.toString());
    String address = first.inputReader(StandardCharsets.UTF_8).readLine();
    String port = Integer.toString(URI.create(address).getPort());

    Process second = start("serve", "--port", port, directory.toString());
    String message = new String(second.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);

    assertThat(second.waitFor()).as(message).isEqualTo(3);
    assertThat(message).contains("127.0.0.1:" + port, "--port").doesNotContain("Exception:");
    new ProcessBuilder("kill", "-TERM", Long.toString(first.pid())).start().waitFor();
    assertThat(first.waitFor()).isZero();
  }

  /** Whether a page, or what comes of a stream so far, holds all the texts within the time. */
  private static boolean await(String address, String... texts) {
    return Await.until(
        WITHIN,
        () -> {
          try {
            String page = get(address);
            return List.of(texts).stream().allMatch(page::contains);
          } catch (IOException e) {
            return false;
          }
        });
  }

  /** A page; of a stream, its beginning, with the second picture in it. */
  private static String get(String address) throws IOException {
    try (HttpClient client = HttpClient.newHttpClient()) {
      HttpRequest request = HttpRequest.newBuilder(URI.create(address)).build();
      HttpResponse<Stream<String>> answer =
          client.send(request, HttpResponse.BodyHandlers.ofLines());
      try (var lines = answer.body()) {
        boolean stream =
            answer.headers().firstValue("Content-Type").orElse("").equals("text/event-stream");
        if (stream) {
          return String.join("\n", lines.limit(5).toList());
        }
      }
      return client.send(request, HttpResponse.BodyHandlers.ofString()).body();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException(e);
    }
  }

  private Process start(String... arguments) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(
        List.of(
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "--enable-native-access=ALL-UNNAMED",
            "--sun-misc-unsafe-memory-access=allow",
            "-Dterrace.home=" + HOME,
            "-cp",
            HOME.resolve("lib") + "/*",
            "org.terrace.cli.Terrace"));
    command.addAll(List.of(arguments));
    return Keeper.ofThisProcess().start(new ProcessBuilder(command).directory(directory.toFile()));
  }
}
