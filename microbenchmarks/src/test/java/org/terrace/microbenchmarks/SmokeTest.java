package org.terrace.microbenchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.VerboseMode;

/** Every benchmark, called once: each checks what it computed, so none can rot unseen. */
class SmokeTest {
  @Test
  void everyBenchmarkRunsOnce() throws RunnerException, IOException {
    Collection<RunResult> results =
        new Runner(
                new OptionsBuilder()
                    .mode(Mode.SingleShotTime)
                    .forks(0)
                    .warmupIterations(0)
                    .measurementIterations(1)
                    .shouldFailOnError(true)
                    .verbosity(VerboseMode.SILENT)
                    .build())
            .run();

    Set<String> ran =
        results.stream()
            .map(result -> result.getParams().getBenchmark())
            .map(name -> name.substring(0, name.lastIndexOf('.')))
            .collect(Collectors.toCollection(TreeSet::new));
    assertThat(ran).isEqualTo(benchmarkClasses());
  }

  /** The classes whose names say that they are benchmarks. */
  private static Set<String> benchmarkClasses() throws IOException {
    Path sources = Path.of("src/main/java");
    try (Stream<Path> files = Files.walk(sources)) {
      return files
          .map(file -> sources.relativize(file).toString().replace('/', '.'))
          .filter(name -> name.endsWith("Benchmark.java"))
          .map(name -> name.substring(0, name.length() - ".java".length()))
          .collect(Collectors.toCollection(TreeSet::new));
    }
  }
}
