package org.terrace.microbenchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ComparisonTest {
  private static final String HEAD =
      "\"Benchmark\",\"Mode\",\"Threads\",\"Samples\",\"Score\",\"Score Error (99.9%)\",\"Unit\","
          + "\"Param: packets\"\n";

  @TempDir Path scratch;
  private Path before;
  private Path after;
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();

  @BeforeEach
  void makeFolders() throws IOException {
    before = Files.createDirectory(scratch.resolve("old"));
    after = Files.createDirectory(scratch.resolve("new"));
  }

  @Test
  void aSlowerBenchmarkIsNamedAndTheStatusIsOne() throws IOException {
    for (int run = 1; run <= 4; run++) {
      write(before, run, row("CodecBenchmark.encode", 100 + run, ""));
      write(after, run, row("CodecBenchmark.encode", 150 + run, ""));
    }

    assertThat(compare()).isEqualTo(1);
    assertThat(text()).containsPattern("CodecBenchmark\\.encode +1\\.4\\d\\d +.* 4 +SLOWER");
  }

  @Test
  void whatMayBeEitherIsNotSaidToBeSlower() throws IOException {
    for (int run = 1; run <= 4; run++) {
      write(before, run, row("PutBenchmark.put", run % 2 == 0 ? 100 : 130, ""));
      write(after, run, row("PutBenchmark.put", run % 2 == 0 ? 130 : 101, ""));
    }

    assertThat(compare()).isZero();
    assertThat(text()).containsPattern("PutBenchmark\\.put .*cannot tell");
  }

  @Test
  void parametersTellBenchmarksApartAndLoneOnesAreListed() throws IOException {
    for (int run = 1; run <= 3; run++) {
      write(
          before,
          run,
          row("ReassemblyBenchmark.reassemble", 100 + run, "ordered")
              + row("ReassemblyBenchmark.reassemble", 300 + run, "swapped"));
      write(
          after,
          run,
          row("ReassemblyBenchmark.reassemble", 50 + run / 2.0, "ordered")
              + row("PutBenchmark.put", 3, ""));
    }

    assertThat(compare()).isZero();
    assertThat(text())
        .containsPattern("reassemble ordered +0\\.500 .*faster")
        .contains("Only the old commit has: ReassemblyBenchmark.reassemble swapped")
        .contains("Only the new commit has: PutBenchmark.put");
  }

  @Test
  void scoresThatCannotBeComparedAreRefused() throws IOException {
    assertThat(compare()).isEqualTo(2);
    assertThat(text()).contains("holds no scores");

    write(before, 1, row("PutBenchmark.put", 3, ""));
    write(before, 2, row("PutBenchmark.put", 3, ""));
    write(after, 1, row("PutBenchmark.put", 3, ""));
    assertThat(compare()).isEqualTo(2);
    assertThat(text()).contains("2 old and 1 new");

    write(after, 2, row("PutBenchmark.get", 3, ""));
    assertThat(compare()).isEqualTo(2);
    assertThat(text()).contains("PutBenchmark.get has 1 scores in the 2 tables");

    write(after, 2, row("PutBenchmark.put", 3, "").replace("avgt", "thrpt"));
    assertThat(compare()).isEqualTo(2);
    assertThat(text()).contains("expected the mode avgt, got thrpt");
  }

  private int compare() {
    PrintStream print = new PrintStream(out, true, StandardCharsets.UTF_8);
    return Comparison.run(new String[] {before.toString(), after.toString()}, print, print);
  }

  private String text() {
    return out.toString(StandardCharsets.UTF_8);
  }

  private static void write(Path folder, int run, String rows) throws IOException {
    Files.writeString(folder.resolve(run + ".csv"), HEAD + rows);
  }

  private static String row(String name, double score, String parameter) {
    return "\"org.terrace.microbenchmarks.%s\",\"avgt\",1,5,%s,NaN,\"ns/op\",%s\n"
        .formatted(name, score, parameter);
  }
}
