package org.terrace.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.terrace.observation.ObservationFiles;
import org.terrace.report.FindingsFile;

/** Captures of TLS with the keys of their connections, as the command reads them. */
class AnalyzeTlsTest {
  private static final Path CAPTURES =
      Path.of("../../observatory/protocols/src/test/resources/captures");

  @TempDir Path directory = Path.of("");

  private static int analyze(StringWriter messages, String... arguments) {
    List<String> all = new ArrayList<>(List.of("analyze"));
    all.addAll(List.of(arguments));
    return Terrace.commandLine()
        .setErr(new PrintWriter(messages))
        .setOut(new PrintWriter(messages))
        .execute(all.toArray(String[]::new));
  }

  private static List<String> classes(Path out) {
    return ObservationFiles.read(out).requests().requestClasses();
  }

  @Test
  void keyLogMakesStatementsOfTurnsAndIsWrittenNowhere() throws Exception {
    Path keys = CAPTURES.resolve("tls-databases.keys");
    Path out = directory.resolve("out");

    int exitCode =
        analyze(
            new StringWriter(),
            CAPTURES.resolve("tls-databases.pcap").toString(),
            "--tls-keys=" + keys,
            "--out=" + out,
            "--csv");

    assertThat(exitCode).isZero();
    assertThat(classes(out))
        .contains("TLS handshake", "SELECT title FROM stories WHERE id = ?", "GET");
    assertThat(Files.readString(out.resolve("connections.csv")))
        .contains("TLS 1.3, TLS_AES_256_GCM_SHA384", "PostgreSQL, then TLS, then PostgreSQL");
    List<String> secrets;
    try (Stream<String> lines = Files.lines(keys)) {
      secrets =
          lines
              .filter(line -> !line.startsWith("#"))
              .map(line -> line.substring(line.lastIndexOf(' ') + 1))
              .toList();
    }
    assertThat(secrets).hasSize(15);
    try (Stream<Path> files = Files.walk(out)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        String text = new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
        assertThat(secrets).as(file.toString()).noneMatch(text::contains);
      }
    }
  }

  @Test
  void keysOfACaptureNeedNoOption() {
    Path out = directory.resolve("out");

    int exitCode =
        analyze(new StringWriter(), CAPTURES.resolve("tls-http.pcapng").toString(), "--out=" + out);

    assertThat(exitCode).isZero();
    assertThat(classes(out))
        .contains("GET /page2.txt", "POST /small.txt")
        .doesNotContain("TLS turn");
  }

  @Test
  void whatIsNotDecryptedIsAWarningByName() {
    Path out = directory.resolve("out");

    int exitCode =
        analyze(
            new StringWriter(),
            CAPTURES.resolve("tls-changes.pcap").toString(),
            "--tls-keys=" + CAPTURES.resolve("tls-changes.keys"),
            "--out=" + out);

    assertThat(exitCode).isZero();
    assertThat(FindingsFile.read(out.resolve(FindingsFile.NAME)).warnings())
        .contains(
            "1 TLS connection uses TLS 1.1, which is not decrypted: only its turns are known.",
            "1 TLS connection uses TLS_RSA_WITH_AES_128_CCM, which is not decrypted: only its turns"
                + " are known.");
  }

  @Test
  void fileThatIsNoKeyLogIsRefusedAndNothingWritten() {
    Path out = directory.resolve("out");
    Path capture = CAPTURES.resolve("tls-databases.pcap");
    StringWriter messages = new StringWriter();

    int exitCode = analyze(messages, capture.toString(), "--tls-keys=" + capture, "--out=" + out);

    assertThat(exitCode).isEqualTo(2);
    assertThat(messages.toString()).contains("expected a key log of TLS", "SSLKEYLOGFILE");
    assertThat(out).doesNotExist();
  }
}
