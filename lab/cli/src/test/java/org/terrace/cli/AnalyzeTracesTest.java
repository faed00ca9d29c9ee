package org.terrace.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.terrace.observation.ObservationFiles;
import org.terrace.observation.RequestTable;
import org.terrace.report.FindingsFile;
import org.terrace.tracing.span.TraceFiles;
import picocli.CommandLine;

class AnalyzeTracesTest {
  private static final Path SPANS =
      Path.of("../../observatory/tracing/src/test/resources/org/terrace/tracing/span");

  @TempDir Path directory = Path.of("");

  @Test
  void tracesAreKnownByTheirContentAndComeOutInEveryFormat() {
    for (String sample : List.of("otlp.json", "jaeger.json", "zipkin.json")) {
      Path out = directory.resolve(sample + "-out");
      Path jaeger = directory.resolve(sample + ".jaeger.json");
      Path perfetto = directory.resolve(sample + ".perfetto.json");

      int exitCode =
          analyze(
              SPANS.resolve(sample).toString(),
              "--out=" + out,
              "--traces-out=" + jaeger,
              "--traces-out=" + perfetto);

      assertThat(exitCode).isZero();
      RequestTable requests = ObservationFiles.read(out).requests();
      assertThat(requests.servers()).containsExactly("web", "shop", "postgresql");
      assertThat(FindingsFile.read(out.resolve(FindingsFile.NAME)).transactions().count())
          .isEqualTo(1);
      assertThat(TraceFiles.read(List.of(jaeger)).requests().size()).isEqualTo(3);
      assertThat(perfetto).content().startsWith("{\"displayTimeUnit\"");
    }
  }

  @Test
  void requestsOfATableAreStitched() throws Exception {
    Path table = directory.resolve("requests.csv");
    Files.writeString(
        table,
        """
        server,client,requestClass,arrivalNanos,departureNanos,connection
        web,users,GET,1000000,90000000,1
        app,web,GET,2000000,80000000,2
        db,app,SELECT,3000000,70000000,3
        """);
    Path out = directory.resolve("out");

    assertThat(analyze(table.toString(), "--out=" + out)).isZero();

    var found = FindingsFile.read(out.resolve(FindingsFile.NAME)).transactions();
    assertThat(found.complete()).isEqualTo(1);
    assertThat(found.calls()).isEqualTo(2);
    assertThat(found.classes()).extracting(each -> each.server()).contains("db", "app", "web");
  }

  @Test
  void aFormatThatTheNameDoesNotTellIsRefusedBeforeAnythingIsRead() {
    StringWriter messages = new StringWriter();
    CommandLine line = Terrace.commandLine().setErr(new PrintWriter(messages));

    int exitCode = line.execute("analyze", "nothing.pcap", "--traces-out", "traces.json");

    assertThat(exitCode).isEqualTo(2);
    assertThat(messages.toString()).contains("traces.json", ".otlp.json");
  }

  private static int analyze(String... arguments) {
    List<String> all = new ArrayList<>(List.of("analyze"));
    all.addAll(List.of(arguments));
    return Terrace.commandLine().execute(all.toArray(String[]::new));
  }
}
