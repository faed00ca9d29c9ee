package org.terrace.evidence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.terrace.core.TerraceException;
import org.terrace.observation.Sample;
import org.terrace.testing.Seeds;

class PrometheusRangeTest {
  private static final long SECOND = 1_000_000_000L;

  /** As Prometheus 3 answers a range query of two pools of each of two servers. */
  private static final String POOLS =
      """
      {"status":"success","data":{"resultType":"matrix","result":[
      {"metric":{"__name__":"hikaricp_connections_active","instance":"app1:8080","job":"shop","pool":"main"},
       "values":[[1795342500,"3"],[1795342501.25,"7.5"],[1795342502.5,"1e1"]]},
      {"metric":{"__name__":"hikaricp_connections_active","instance":"app1:8080","job":"shop","pool":"audit"},
       "values":[[1795342500,"0"]]},
      {"metric":{"__name__":"hikaricp_connections_active","instance":"app2:8080","job":"shop","pool":"main"},
       "values":[[1795342500,"4"]]}]}}
      """;

  @TempDir Path directory;

  @Test
  void aReadingIsOfTheInstanceAndOfTheMetricWithTheLabelsThatTellItsSeriesApart()
      throws IOException {
    Evidence read = read(POOLS);

    assertThat(read.samples())
        .containsExactly(
            sample("app1:8080", "hikaricp_connections_active{pool=\"main\"}", 0, 3),
            sample("app1:8080", "hikaricp_connections_active{pool=\"main\"}", 1_250, 7.5),
            sample("app1:8080", "hikaricp_connections_active{pool=\"main\"}", 2_500, 10),
            sample("app1:8080", "hikaricp_connections_active{pool=\"audit\"}", 0, 0),
            sample("app2:8080", "hikaricp_connections_active{pool=\"main\"}", 0, 4));
    assertThat(read.events()).isEmpty();
    assertThat(read.notes()).isEmpty();
    assertThat(read.summary()).contains("Prometheus", "3 series", "5 readings", "2 servers");
  }

  @Test
  void anotherLabelMayNameTheServerAndTheNodeThatIsGivenIsTakenBeforeAny() throws IOException {
    Path file = file(POOLS);

    assertThat(EvidenceFile.read(file, null, null, "job").samples())
        .extracting(Sample::node, Sample::resource)
        .contains(
            tuple("shop", "hikaricp_connections_active{instance=\"app2:8080\",pool=\"main\"}"));
    assertThat(EvidenceFile.read(file, "app9", null, "job").samples())
        .extracting(Sample::node)
        .containsOnly("app9");
    assertThatThrownBy(() -> EvidenceFile.read(file, null, null, "host"))
        .isInstanceOf(TerraceException.class)
        .hasMessageContaining("has no label 'host'")
        .hasMessageContaining("--events app1=" + file)
        .hasMessageContaining("--events-label");
  }

  @Test
  void aSeriesWithoutAMetricHasTheNameOfItsFile() throws IOException {
    Path file = directory.resolve("cpu-utilisation.json");
    Files.writeString(
        file,
        """
        {"status":"success","data":{"result":[
        {"values":[[1795342500,"0.5"]],"metric":{"instance":"app1"}}],"resultType":"matrix"}}
        """);

    assertThat(EvidenceFile.read(file, null, null).samples())
        .containsExactly(sample("app1", "cpu-utilisation", 0, 0.5));
  }

  @Test
  void valuesThatAreNoNumberAndGapsAndRemarksAreTold() throws IOException {
    Evidence read =
        read(
            """
            {"status":"success","infos":["PromQL info: \\u001b[31mnot a counter"],"isPartial":true,
             "warnings":["two of three stores answered"],
             "data":{"resultType":"matrix","result":[
             {"metric":{"__name__":"requests_total","instance":"a"},
              "values":[[1795342500,"1"],[1795342501,"NaN"],[1795342502,"+Inf"],[1795342503,"-Inf"],
                        [1795342504,"2"],[1795342505,"3"]],
              "histograms":[[1795342500,{"count":"1","sum":"1","buckets":[[0,"0","1","1"]]}]]}]}}
            """);

    assertThat(read.samples()).extracting(Sample::value).containsExactly(1.0, 2.0, 3.0);
    assertThat(read.notes())
        .anySatisfy(note -> assertThat(note).contains("3 values that are no number or infinite"))
        .anySatisfy(note -> assertThat(note).contains("3 readings are missing"))
        .anySatisfy(note -> assertThat(note).contains("1 values that are histograms"))
        .anySatisfy(note -> assertThat(note).contains("two of three stores answered"))
        .anySatisfy(note -> assertThat(note).contains("not a counter"))
        .anySatisfy(note -> assertThat(note).contains("is partial"))
        .anySatisfy(note -> assertThat(note).contains("rate(requests_total[10s])"))
        .noneMatch(note -> note.indexOf('\u001b') >= 0);
  }

  @Test
  void whatPrometheusRefusedIsToldInItsWords() throws IOException {
    assertThatThrownBy(() ->
            read(
                "{\"status\":\"error\",\"errorType\":\"bad_data\","
                    + "\"error\":\"exceeded maximum resolution of 11,000 points\"}"))
        .isInstanceOf(TerraceException.class)
        .hasMessageContaining("bad_data: exceeded maximum resolution of 11,000 points");
  }

  @Test
  void answersThatAreNoRangeAreRefusedWithWhatToAsk() {
    for (String result :
        new String[] {
          "\"vector\",\"result\":[{\"metric\":{\"instance\":\"a\"},\"value\":[1795342500,\"1\"]}]",
          "\"scalar\",\"result\":[1795342500,\"1\"]",
          "\"string\",\"result\":[1795342500,\"text\"]"
        }) {
      assertThatThrownBy(
              () -> read("{\"status\":\"success\",\"data\":{\"resultType\":" + result + "}}"))
          .isInstanceOf(TerraceException.class)
          .hasMessageContaining(result.substring(1, 7))
          .hasMessageContaining("/api/v1/query_range");
    }
    assertThatThrownBy(() -> read("{\"status\":\"success\"}"))
        .hasMessageContaining("no resultType");
  }

  @Test
  void whatIsMalformedIsRefusedWithItsPlace() {
    assertRefused("[1795342500]", "line 1", "a text");
    assertRefused("[1795342500,\"many\"]", "line 1", "a value");
    assertRefused("[\"soon\",\"1\"]", "a time in seconds");
    assertRefused("[1e300,\"1\"]", "since 1970");
    assertRefused("[-1,\"1\"]", "since 1970");
    assertRefused("[1795342500,\"1\",2]", "the end of a pair");
    assertRefused("[1795342500,\"1\"],[1795342500,\"1\"]", "a later time");
    assertRefused("7", "a pair");
    assertRefused("[1795342500,\"1\"", "no JSON or ends too early");
  }

  private void assertRefused(String values, String... told) {
    assertThatThrownBy(() ->
            read(
                "{\"status\":\"success\",\"data\":{\"resultType\":\"matrix\",\"result\":[{"
                    + "\"metric\":{\"instance\":\"a\"},\"values\":["
                    + values
                    + "]}]}}"))
        .isInstanceOf(TerraceException.class)
        .hasMessageContaining("answer.json")
        .hasMessageContainingAll(told);
  }

  @Test
  void readingsAndLabelsBeyondTheirBoundsAreCountedOrRefused() throws IOException {
    Evidence read = new PrometheusRange(file(POOLS), null, "instance").read(2, 10_000);

    assertThat(read.samples()).hasSize(2);
    assertThat(read.notes()).singleElement().asString().contains("3 readings beyond the first 2");
    String label = "x".repeat(1_025);
    assertThatThrownBy(() ->
            read(
                "{\"status\":\"success\",\"data\":{\"resultType\":\"matrix\",\"result\":[{"
                    + "\"metric\":{\"instance\":\""
                    + label
                    + "\"},\"values\":[]}]}}"))
        .hasMessageContaining("1024 characters");
  }

  @Test
  void packedAnswersAreKnownByTheirContentAndEmptyOnesAreTold() throws IOException {
    Path packed = directory.resolve("answer");
    try (OutputStream bytes = new GZIPOutputStream(Files.newOutputStream(packed))) {
      bytes.write(("\n" + POOLS).getBytes(StandardCharsets.UTF_8));
    }

    assertThat(EvidenceFile.read(packed, null, null).samples()).hasSize(5);
    assertThat(
            read("{\"status\":\"success\",\"data\":{\"resultType\":\"matrix\",\"result\":[]}}")
                .notes())
        .singleElement()
        .asString()
        .contains("no series matched");
  }

  @Test
  void cutAndDamagedAnswersGiveReadingsInOrderOrAClearError() throws IOException {
    byte[] whole = POOLS.getBytes(StandardCharsets.UTF_8);
    Damage.cut(directory, whole);
    Damage.change(directory, whole, Seeds.generator(Seeds.next("PrometheusRangeTest.damaged")));
  }

  /** As of statements whose texts are equal as far as they are shown. */
  @Test
  void seriesWhoseLabelsAreEqualAsFarAsTheyAreShownStayTwo() throws IOException {
    String query = "select ".repeat(36);
    Evidence read =
        read(
            """
            {"status":"success","data":{"resultType":"matrix","result":[
            {"metric":{"__name__":"seconds","instance":"a","query":"%1$sb","queryid":"111"},
             "values":[[1795342500,"5"],[1795342501,"5"]]},
            {"metric":{"__name__":"seconds","instance":"a","query":"%1$sc","queryid":"222"},
             "values":[[1795342500,"900"],[1795342501,"900"]]},
            {"metric":{"__name__":"seconds","instance":"b","query":"%1$sb","queryid":"111"},
             "values":[[1795342500,"7"],[1795342501,"7"]]}]}}
            """
                .formatted(query));

    Map<String, Set<Double>> values =
        read.samples().stream()
            .filter(sample -> sample.node().equals("a"))
            .collect(
                Collectors.groupingBy(
                    Sample::resource, Collectors.mapping(Sample::value, Collectors.toSet())));
    assertThat(values.values()).containsExactlyInAnyOrder(Set.of(5.0), Set.of(900.0));
    // One statement has one name at all servers, so that these can be compared.
    assertThat(read.samples())
        .filteredOn(sample -> sample.value() == 7)
        .extracting(Sample::resource)
        .allSatisfy(resource -> assertThat(values.get(resource)).containsExactly(5.0));
  }

  @Test
  void aSecondAnswerInTheSameFileIsRefused() {
    assertThatThrownBy(() -> read(POOLS + POOLS))
        .isInstanceOf(TerraceException.class)
        .hasMessageContaining("line 8")
        .hasMessageContaining("expected the end of the file");
  }

  @Test
  void labelsAndNamesOfLabelsAreBoundedTogether() throws IOException {
    StringBuilder many = new StringBuilder();
    for (int series = 0; series < 10; series++) {
      many.append(
          "{\"metric\":{\"instance\":\"a\",\"n\":\"%d\",\"path\":\"%s\"},\"values\":[[1795342500,\"1\"]]},"
              .formatted(series, "x".repeat(1_000)));
    }
    Path file =
        file(
            "{\"status\":\"success\",\"data\":{\"resultType\":\"matrix\",\"result\":["
                + many.substring(0, many.length() - 1)
                + "]}}");

    Evidence read = new PrometheusRange(file, null, "instance").read(100, 5_000);
    assertThat(read.samples()).hasSize(4);
    assertThat(read.notes())
        .singleElement()
        .asString()
        .contains("6 series were passed over", "5,000 characters");
    assertThat(new PrometheusRange(file, null, "instance").read().samples()).hasSize(10);
    assertThatThrownBy(() ->
            read(
                "{\"status\":\"success\",\"data\":{\"resultType\":\"matrix\",\"result\":[{"
                    + "\"metric\":{\"instance\":\"a\",\""
                    + "x".repeat(1_025)
                    + "\":\"\"},\"values\":[]}]}}"))
        .hasMessageContaining("1024 characters");
  }

  @Test
  void aMetricThatFallsIsNotSaidToCountFromAStartOn() throws IOException {
    String answer =
        """
        {"status":"success","data":{"resultType":"matrix","result":[
        {"metric":{"__name__":"pg_stat_activity_count","instance":"a"},
         "values":[[1795342500,"5"],[1795342501,"3"],[1795342502,"%s"]]}]}}
        """;
    assertThat(read(answer.formatted("7")).notes()).isEmpty();
    assertThat(read(answer.replace("\"3\"", "\"6\"").formatted("7")).notes())
        .singleElement()
        .asString()
        .contains("rate(pg_stat_activity_count[10s])");
  }

  private Evidence read(String answer) throws IOException {
    return EvidenceFile.read(file(answer), null, null);
  }

  private Path file(String answer) throws IOException {
    return Files.writeString(directory.resolve("answer.json"), answer);
  }

  private static Sample sample(String node, String resource, long millis, double value) {
    return new Sample(node, resource, 1_795_342_500L * SECOND + millis * 1_000_000, value);
  }
}
