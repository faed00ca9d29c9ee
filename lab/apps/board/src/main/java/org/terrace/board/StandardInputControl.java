package org.terrace.board;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.terrace.core.TimeSource;

/**
 * Obeys lines on standard input, a channel that only the process's parent has: {@code gc-pressure
 * SECONDS} (1 to {@value #MOST_SECONDS}, also with a fraction) makes garbage for so long, one order
 * at a time.
 *
 * <p>Answers are lines on standard output: {@code gc-pressure start EPOCH_NANOS} and {@code
 * gc-pressure end EPOCH_NANOS}; a line that is not understood is answered with {@code unknown
 * LINE}. The end of the input ends the control, not the server.
 */
final class StandardInputControl implements Runnable {
  private static final int MOST_SECONDS = 3_600;
  private static final int SHOWN_CHARACTERS = 80;
  private static final Pattern GC_PRESSURE =
      Pattern.compile("gc-pressure +([0-9]{1,4}(?:\\.[0-9]{1,3})?)");

  private final InputStream in;
  private final PrintStream out;

  StandardInputControl(InputStream in, PrintStream out) {
    this.in = in;
    this.out = out;
  }

  @Override
  public void run() {
    try (var lines = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        obey(line.strip());
      }
    } catch (IOException e) {
      out.println("control ended: " + e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void obey(String line) throws InterruptedException {
    Matcher pressure = GC_PRESSURE.matcher(line);
    double seconds = pressure.matches() ? Double.parseDouble(pressure.group(1)) : 0;
    if (seconds <= 0 || seconds > MOST_SECONDS) {
      if (!line.isEmpty()) {
        out.println("unknown " + line.substring(0, Math.min(SHOWN_CHARACTERS, line.length())));
      }
      return;
    }
    TimeSource time = TimeSource.system();
    out.println("gc-pressure start " + time.epochNanos());
    GarbagePressure.make(Duration.ofMillis(Math.round(seconds * 1_000)), time);
    out.println("gc-pressure end " + time.epochNanos());
  }
}
