package org.terrace.cli.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.terrace.core.TerraceException;
import org.terrace.details.comparison.Metric.Better;
import org.terrace.details.comparison.Metric.Scale;
import org.terrace.details.history.MetricHistory;
import org.terrace.details.history.MissingStretch;

class HistoryTest {
  @TempDir Path directory;

  private Path file(String name, String text) throws IOException {
    return Files.writeString(directory.resolve(name), text);
  }

  private static History read(Path... arguments) {
    return History.read(Stream.of(arguments).map(Path::toString).toList());
  }

  private static List<String> labels(MetricHistory figure) {
    return figure.points().stream().map(MetricHistory.Point::label).toList();
  }

  @Test
  void valuesSeparatedByCommasKeepTheirUnitsAndDirections() throws IOException {
    Path csv =
        file(
            "figures.csv",
            """
            time,label,metric,value,unit,better
            2026-11-01,a,users p99,12.5,ms,
            2026-11-01T10:00:00Z,a,score,7,points,more
            2026-11-02T10:00:00+02:00,b,users p99,13.5,ms,
            2026-11-02,b,users errors,0.5,%,less
            2026-11-03,c,rate,100,requests/s,
            """);

    History history = read(csv);

    assertThat(history.figures())
        .extracting(each -> each.metric().name())
        .containsExactly("users p99", "score", "users errors", "rate");
    MetricHistory first = history.figures().getFirst();
    assertThat(first.metric().unit()).isEqualTo("ms");
    assertThat(first.metric().better()).isEqualTo(Better.LESS);
    assertThat(first.points())
        .containsExactly(new MetricHistory.Point("a", 12.5), new MetricHistory.Point("b", 13.5));
    assertThat(history.figures().get(1).metric().better()).isEqualTo(Better.MORE);
    assertThat(history.figures().get(2).metric().scale()).isEqualTo(Scale.DIFFERENCE);
    assertThat(history.figures().get(3).metric().better()).isEqualTo(Better.MORE);
    assertThat(history.folder()).isEqualTo(directory.toAbsolutePath().normalize());
  }

  @Test
  void whatIsWrongWithAFileIsToldWithItsLine() throws IOException {
    String head = "time,label,metric,value,unit\n";
    String good = head + "2026-11-02,a,p99,1,ms\n";

    wrong("metric,value\nx,1\n", "the columns are", "time,label,metric,value");
    wrong(good + "2026-11-03,b,p99,1,s\n", "line 3", "not comparable", "'s'", "'ms'");
    wrong(good + "2026-11-01,b,p99,1,ms\n", "line 3", "oldest first");
    wrong(good + "2026-11-03,a,p99,1,ms\n", "line 3", "label 'a' twice");
    wrong(good + "2026-11-03,b,p99,fast,ms\n", "line 3", "'fast'", "expected a number");
    wrong(good + "2026-11-03,b,p99,NaN,ms\n", "line 3", "finite");
    wrong(good + "yesterday,b,p99,1,ms\n", "line 3", "2026-11-22T10:15:00Z");
    wrong(good + "2026-11-03,b,score,1,points\n", "line 3", "column named better");
    wrong(good + "2026-11-03,b,errors,1,errors/s\n", "line 3", "column named better");
    wrong(good + "2026-11-03,,p99,1,ms\n", "line 3", "label is empty");
    wrong(good + "2026-11-03,b,p9", "line 3", "3 fields", "the header 5");
    wrong(good + "2026-11-03,b,p99,1,256,ms\n", "line 3", "6 fields", "decimal point");
    wrong("time,label,metric,unit,value\n2026-11-03,b,p99,s,1,256\n", "line 2", "6 fields");
    wrong("time,label,metric,value,value\n2026-11-03,b,p99,1,2\n", "value");
  }

  private void wrong(String text, String... words) throws IOException {
    Path csv = file("wrong.csv", text);
    assertThatThrownBy(() -> read(csv))
        .isInstanceOf(TerraceException.class)
        .hasMessageContainingAll(words)
        .hasMessageContaining("wrong.csv");
  }

  /** As spreadsheets write it. */
  @Test
  void aMarkOfTheOrderOfBytesIsNoPartOfTheFirstColumn() throws IOException {
    Path csv = file("marked.csv", "\ufefftime,label,metric,value,unit\n2026-11-02,a,p99,1,ms\n");

    assertThat(labels(read(csv).figures().getFirst())).containsExactly("a");
  }

  /** As a shell's pattern gives them: 10 before 9. */
  @Test
  void filesInAnotherOrderThanThatOfTimeAreRefused() throws IOException {
    String head = "time,label,metric,value,unit\n";
    Path older = file("2026-9.csv", head + "2026-09-01,a,p99,1,ms\n2026-09-01,a,p50,1,ms\n");
    Path newer = file("2026-10.csv", head + "2026-10-01,b,p99,2,ms\n2026-10-01,b,p50,2,ms\n");

    assertThat(labels(read(older, newer).figures().getFirst())).containsExactly("a", "b");
    assertThatThrownBy(() -> read(newer, older))
        .isInstanceOf(TerraceException.class)
        .hasMessageContainingAll("2026-9.csv: line 2", "2026-10.csv: line 2", "oldest first");
  }

  private Path benchmark(String name, String cpu, double micros) throws IOException {
    return file(
        name,
        """
        {"format": "terrace-bench/1", "bench": "wire",
         "machine": {"cores": 2, "memoryBytes": 8000000000, "cpu": "%s"},
         "rows": [
          {"subject": "terrace", "version": "", "metric": "speed", "unit": "MB/s", "value": %s},
          {"subject": "terrace", "version": "", "metric": "ratio", "unit": "", "value": 3},
          {"subject": "tshark", "version": "4", "metric": "speed", "unit": "MB/s", "value": 5},
          {"subject": "peer", "version": "", "metric": "speed", "unit": "MB/s", "value": null}],
         "goals": []}
        """
            .formatted(cpu, micros));
  }

  @Test
  void benchmarksOfADirectoryAreReadInTheOrderInWhichPeopleCount() throws IOException {
    benchmark("run-9.json", "x86", 10);
    benchmark("run-10.json", "x86", 11);
    benchmark("run-2.json", "x86", 9);
    file("acknowledged-changes", "no history");

    History history = read(directory);

    assertThat(history.figures())
        .extracting(each -> each.metric().name())
        .containsExactly("wire terrace speed", "wire terrace ratio", "wire tshark speed");
    assertThat(labels(history.figures().getFirst())).containsExactly("run-2", "run-9", "run-10");
    assertThat(history.figures())
        .extracting(each -> each.metric().decides())
        .containsExactly(true, false, false);
    assertThat(history.figures().get(1).directed()).isFalse();
    assertThat(history.folder()).isEqualTo(directory.toAbsolutePath().normalize());
  }

  @Test
  void aRowThatIsNotMeasuredIsMissingFromTheFilesOfItsBenchmark() throws IOException {
    benchmark("run-1.json", "x86", 10);
    Path skipped = benchmark("run-2.json", "x86", 11);
    Files.writeString(
        skipped, Files.readString(skipped).replace("\"value\": 11.0", "\"value\": null"));
    benchmark("run-3.json", "x86", 12);
    Path other = benchmark("run-4.json", "x86", 13);
    Files.writeString(other, Files.readString(other).replace("\"wire\"", "\"other\""));

    List<MetricHistory> figures = read(directory).figures();

    assertThat(figures)
        .extracting(each -> each.metric().name(), MetricHistory::missing)
        .contains(
            tuple("wire terrace speed", List.of(new MissingStretch("run-2", 1, "run-3"))),
            tuple("wire tshark speed", List.of()),
            tuple("other terrace speed", List.of()));
  }

  @Test
  void benchmarksOfTwoMachinesAndKindsThatAreMixedAreNotComparable() throws IOException {
    Path one = benchmark("one.json", "x86", 10);
    Path other = benchmark("other.json", "arm", 10);
    Path csv = file("a.csv", "time,label,metric,value,unit\n");
    Path stranger = file("stranger.json", "{\"format\": \"other/1\"}");

    assertThatThrownBy(() -> read(one, other)).hasMessageContainingAll("2 cores, arm", "x86");
    assertThatThrownBy(() -> read(one, csv)).hasMessageContaining("another kind");
    assertThatThrownBy(() -> read(stranger)).hasMessageContaining("'other/1'");
    assertThatThrownBy(() -> read(directory.resolve("nowhere"))).hasMessageContaining("no such");
    assertThatThrownBy(() -> read(file("notes.txt", "text"))).hasMessageContaining("no history");
  }

  @Test
  void aLabelIsWhatStandsBeforeTheSignUnlessThatIsAPath() throws IOException {
    Path odd = Files.createDirectory(directory.resolve("a=b"));

    assertThat(Labelled.parse("old=out/1,out/2")).isEqualTo(new Labelled("old", "out/1,out/2"));
    assertThat(Labelled.parse("out/x=1")).isEqualTo(new Labelled("", "out/x=1"));
    assertThat(Labelled.parse(odd.toString())).isEqualTo(new Labelled("", odd.toString()));
    assertThat(Labelled.parse("out")).isEqualTo(new Labelled("", "out"));
    assertThatThrownBy(() -> Labelled.parse("old=")).hasMessageContaining("LABEL=DIR");
  }
}
