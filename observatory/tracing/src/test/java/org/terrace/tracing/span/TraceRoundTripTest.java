package org.terrace.tracing.span;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.terrace.core.TerraceException;
import org.terrace.observation.Exchange;
import org.terrace.observation.Outcome;
import org.terrace.observation.Request;
import org.terrace.observation.RequestTable;
import org.terrace.observation.TraceContext;
import org.terrace.testing.Depth;
import org.terrace.testing.Seeds;

/** Tables that are written and read again, whole, cut off and damaged. */
class TraceRoundTripTest {
  private static final int MICRO = 1_000;

  @TempDir Path folder = Path.of("");

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "PERFETTO")
  void everyColumnComesBack(TraceFormat format) {
    RandomGenerator random = Seeds.generator(Seeds.next("TraceRoundTripTest"));
    boolean whole = format == TraceFormat.OTLP || format == TraceFormat.OTLP_PROTOBUF;
    RequestTable table = RandomRequests.table(random, 300, whole ? 1 : MICRO);
    Path file = folder.resolve("traces" + format.ending());

    TraceFiles.write(file, table);
    RequestTable read = TraceFiles.read(List.of(file)).requests();

    assertThat(TraceFiles.holdsTraces(file)).isTrue();
    assertThat(rows(read)).isEqualTo(rows(table));
  }

  /** The rows with a parent that is there, whose order among simultaneous ones is left open. */
  private static Set<Request> rows(RequestTable table) {
    Set<Long> spans = new HashSet<>();
    for (int row = 0; row < table.size(); row++) {
      TraceContext trace = table.trace(row);
      if (trace != null) {
        spans.add(trace.span());
      }
    }
    Set<Request> rows = new HashSet<>();
    IntStream.range(0, table.size())
        .mapToObj(table::request)
        .map(r -> known(r, spans))
        .forEach(rows::add);
    assertThat(rows).hasSize(table.size());
    return rows;
  }

  private static Request known(Request row, Set<Long> spans) {
    TraceContext trace = row.trace();
    return trace == null || spans.contains(trace.parent())
        ? row
        : new Request(
            row.server(),
            row.requestClass(),
            row.client(),
            row.intendedNanos(),
            row.arrivalNanos(),
            row.departureNanos(),
            row.bytesIn(),
            row.bytesOut(),
            row.outcome(),
            row.connection(),
            row.exchange(),
            new TraceContext(
                trace.transaction(),
                trace.span(),
                TraceContext.NO_PARENT,
                trace.confidence(),
                trace.source()));
  }

  @Test
  void microsecondsAreCutSuchThatCallsStayWithinTheirCallers() {
    RequestTable.Builder builder = new RequestTable.Builder();
    builder.accept(request("app", 1_000_001_999L, 1_000_009_001L, 1, TraceContext.NO_PARENT));
    builder.accept(request("db", 1_000_002_000L, 1_000_009_000L, 2, 1));
    Path file = folder.resolve("cut.jaeger.json");

    TraceFiles.write(file, builder.build());
    RequestTable read = TraceFiles.read(List.of(file)).requests();

    assertThat(read.arrivalNanos(0)).isEqualTo(1_000_001_000L);
    assertThat(read.departureNanos(0)).isEqualTo(1_000_009_000L);
    assertThat(read.arrivalNanos(1)).isEqualTo(1_000_002_000L);
    assertThat(read.departureNanos(1)).isEqualTo(1_000_009_000L);
  }

  private static Request request(String server, long arrival, long departure, long span, long by) {
    return new Request(
        server,
        "q",
        "c",
        arrival,
        arrival,
        departure,
        0,
        0,
        Outcome.OK,
        1,
        Exchange.NONE,
        new TraceContext(7, span, by, 1, "trace"));
  }

  @Test
  void perfettosLanesDoNotOverlapAndArrowsJoinCalls() throws IOException {
    RequestTable.Builder builder = new RequestTable.Builder();
    builder.accept(request("app", 1_000_000_000L, 1_000_009_000L, 1, TraceContext.NO_PARENT));
    builder.accept(request("app", 1_000_001_000L, 1_000_005_000L, 2, 1));
    Path file = folder.resolve("out.perfetto.json");

    TraceFiles.write(file, builder.build());

    String text = Files.readString(file);
    assertThat(text)
        .contains("{\"ph\":\"M\",\"name\":\"process_name\",\"pid\":1")
        .contains("\"ph\":\"X\",\"name\":\"q\",\"pid\":1,\"tid\":1,\"ts\":0.000,\"dur\":9.000")
        .contains("\"ph\":\"X\",\"name\":\"q\",\"pid\":1,\"tid\":2,\"ts\":1.000,\"dur\":4.000")
        .contains("\"ph\":\"s\",\"name\":\"call\",\"pid\":1,\"tid\":1")
        .contains("\"ph\":\"f\",\"name\":\"call\",\"pid\":1,\"tid\":2");
    assertThatThrownBy(() -> TraceFiles.read(List.of(file)))
        .isInstanceOf(TerraceException.class)
        .hasMessageContaining("out.perfetto.json: line 1")
        .hasMessageContaining("resourceSpans");
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "PERFETTO")
  void aFileThatIsCutOffAnywhereSaysSoWithItsName(TraceFormat format) throws IOException {
    RequestTable table = RandomRequests.table(Seeds.generator(5), 2, MICRO);
    Path file = folder.resolve("whole" + format.ending());
    TraceFiles.write(file, table);
    byte[] bytes = Files.readAllBytes(file);
    Path cut = folder.resolve("cut" + format.ending());
    int read = 0;
    // Protobuf is cut everywhere: it alone is whole at some of the places.
    int apart = format == TraceFormat.OTLP_PROTOBUF ? 1 : Depth.of(1, 11);
    for (int size = 0; size < bytes.length; size += apart) {
      Files.write(cut, Arrays.copyOf(bytes, size));
      try {
        TraceFiles.read(List.of(cut));
        read++;
      } catch (TerraceException e) {
        assertThat(e.getMessage()).contains(cut.toString());
      }
    }
    // Protobuf has no end: what is cut between two batches is whole.
    long servers = table.servers().size();
    assertThat((long) read).isEqualTo(format == TraceFormat.OTLP_PROTOBUF ? servers - 1 : 0);
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "PERFETTO")
  void damageGivesRequestsOrAnErrorThatNamesTheFile(TraceFormat format) throws IOException {
    RandomGenerator random = Seeds.generator(Seeds.next("TraceRoundTripTest"));
    Path file = folder.resolve("whole" + format.ending());
    TraceFiles.write(file, RandomRequests.table(random, 3, MICRO));
    byte[] bytes = Files.readAllBytes(file);
    Path damaged = folder.resolve("damaged" + format.ending());
    for (int i = 0; i < Depth.of(2_000, 100); i++) {
      byte[] changed = bytes.clone();
      for (int change = random.nextInt(1, 4); change > 0; change--) {
        changed[random.nextInt(changed.length)] =
            random.nextBoolean()
                ? (byte) random.nextInt()
                : (byte) "0{}[]\",:-9e".charAt(random.nextInt(11));
      }
      Files.write(damaged, changed);
      try {
        assertThat(TraceFiles.read(List.of(damaged)).requests().size()).isPositive();
      } catch (TerraceException e) {
        assertThat(e.getMessage()).contains(damaged.toString());
      }
    }
  }

  @Test
  void theNameOfAFileToWriteMustTellItsFormat() {
    assertThatThrownBy(() -> TraceFiles.formatOf(Path.of("traces.json")))
        .isInstanceOf(TerraceException.class)
        .hasMessageContaining("traces.json")
        .hasMessageContaining(".otlp.json, .otlp.pb, .jaeger.json, .zipkin.json, .perfetto.json");
  }

  @Test
  void linesOfTheCollectorAreOneFile() throws IOException {
    Path sample = Path.of("src/test/resources/org/terrace/tracing/span/otlp.json");
    String line = Files.readString(sample).replace('\n', ' ');
    Path lines = folder.resolve("collector.json");
    Files.writeString(lines, "\n" + line + "\n" + line.replace("5b8e", "5b8f") + "\n");

    TraceReadResult read = TraceFiles.read(List.of(lines));

    assertThat(read.spans()).isEqualTo(10);
    assertThat(TraceFiles.read(List.of(sample, sample)).notes())
        .contains("5 spans are there twice, and are taken once.");
  }

  @Test
  void capturesAndTablesAreNoTraces() throws IOException {
    Path pcapng = folder.resolve("a.json");
    Files.write(pcapng, new byte[] {10, 13, 13, 10, 28, 0, 0, 0, 18, 18});
    Path csv = folder.resolve("b.json");
    Files.writeString(csv, "server,arrivalNanos,departureNanos\n", StandardCharsets.UTF_8);

    assertThat(TraceFiles.holdsTraces(pcapng)).isFalse();
    assertThat(TraceFiles.holdsTraces(csv)).isFalse();
    assertThat(TraceFiles.holdsTraces(folder)).isFalse();
  }

  @Test
  void aCircleOfParentsEndsSomewhere() throws IOException {
    Path file = folder.resolve("circle.json");
    Files.writeString(
        file,
        """
        [{"traceId":"1","id":"a","parentId":"b","kind":"SERVER","name":"x","timestamp":5,"duration":9,
          "localEndpoint":{"serviceName":"s"}},
         {"traceId":"1","id":"b","parentId":"a","name":"y","timestamp":5,"duration":9,
          "localEndpoint":{"serviceName":"s"}},
         {"traceId":"1","id":"c","parentId":"d","kind":"CLIENT","name":"x","timestamp":5,"duration":9},
         {"traceId":"1","id":"d","parentId":"c","kind":"CLIENT","name":"y","timestamp":5,"duration":9},
         {"traceId":"1","id":"e","parentId":"e","kind":"SERVER","name":"z","timestamp":5,"duration":9}]
        """);

    RequestTable read = TraceFiles.read(List.of(file)).requests();

    assertThat(read.size()).isEqualTo(2);
    assertThat(Objects.requireNonNull(read.trace(0)).parent()).isEqualTo(TraceContext.NO_PARENT);
  }
}
