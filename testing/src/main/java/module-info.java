/** Seeded generators and fixtures for the tests of all modules; never a dependency of main code. */
@org.jspecify.annotations.NullMarked
@SuppressWarnings("module") // those that a package is for are compiled after it
module org.terrace.testing {
  requires java.net.http;
  requires static org.junit.jupiter.api;
  requires static org.junit.platform.launcher;
  requires transitive org.terrace.core;
  requires transitive tools.jackson.databind;

  exports org.terrace.testing;
  exports org.terrace.testing.tiers to
      org.terrace.benchmarks,
      org.terrace.tracing;

  provides org.junit.jupiter.api.extension.Extension with
      org.terrace.testing.SeedReplay;
  provides org.junit.platform.launcher.TestExecutionListener with
      org.terrace.testing.RealProcessesLock;
}
