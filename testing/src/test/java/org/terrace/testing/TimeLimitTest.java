package org.terrace.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Properties;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;

/** The limit of time that every test of the house has, so that none holds up a build for ever. */
class TimeLimitTest {
  private static final String LIMIT = "junit.jupiter.execution.timeout.default";

  /** A test that never ends by itself; it is run by the test below alone. */
  static final class Hanging {
    @Test
    void waitsForWhatNeverComes() throws InterruptedException {
      new CountDownLatch(1).await();
    }
  }

  @Test
  void aTestThatHangsFailsAndShowsWhereEveryThreadIs() {
    SummaryGeneratingListener listener = new SummaryGeneratingListener();
    LauncherDiscoveryRequest request =
        LauncherDiscoveryRequestBuilder.request()
            .selectors(DiscoverySelectors.selectClass(Hanging.class))
            .configurationParameter(LIMIT, "50 ms")
            .build();
    PrintStream standardOutput = System.out;
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
    try {
      LauncherFactory.create().execute(request, listener);
    } finally {
      System.setOut(standardOutput);
    }

    assertThat(listener.getSummary().getFailures())
        .extracting(TestExecutionSummary.Failure::getException)
        .hasExactlyElementsOfTypes(TimeoutException.class);
    assertThat(printed.toString(StandardCharsets.UTF_8))
        .contains("TimeLimitTest$Hanging.waitsForWhatNeverComes", "CountDownLatch.await");
  }

  @Test
  void theLimitIsSetForAll() throws IOException {
    Properties properties = new Properties();
    try (InputStream in = getClass().getResourceAsStream("/junit-platform.properties")) {
      properties.load(in);
    }

    assertThat(properties).containsEntry(LIMIT, "10 m");
  }
}
