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
 * SECONDS [PART]} (1 to {@value #MOST_SECONDS}, also with a fraction) makes garbage for so long and
 * keeps that part of the free heap alive, {@code cpu SECONDS} keeps every processor busy, {@code
 * lock-convoy SECONDS} lets all pages pass one lock, one order at a time.
 *
 * <p>Answers are lines on standard output: {@code gc-pressure start EPOCH_NANOS} and {@code
 * gc-pressure end EPOCH_NANOS}, likewise for the others; a line that is not understood is answered
 * with {@code unknown LINE}. The end of the input ends the control, not the server.
 */
final class StandardInputControl implements Runnable {
  private static final int MOST_SECONDS = 3_600;
  private static final int SHOWN_CHARACTERS = 80;
  private static final Pattern ORDER =
      Pattern.compile(
          "(gc-pressure|cpu|lock-convoy) +([0-9]{1,4}(?:\\.[0-9]{1,3})?)(?: +(0\\.[0-9]{1,3}))?");

  private final InputStream in;
  private final PrintStream out;
  private final LockConvoy convoy;

  StandardInputControl(InputStream in, PrintStream out, LockConvoy convoy) {
    this.in = in;
    this.out = out;
    this.convoy = convoy;
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
    Matcher order = ORDER.matcher(line);
    double seconds = order.matches() ? Double.parseDouble(order.group(2)) : 0;
    String part = order.matches() ? order.group(3) : null;
    boolean isPressure = line.startsWith("gc-pressure");
    if (seconds <= 0 || seconds > MOST_SECONDS || (part != null && !isPressure)) {
      if (!line.isEmpty()) {
        out.println("unknown " + line.substring(0, Math.min(SHOWN_CHARACTERS, line.length())));
      }
      return;
    }
    TimeSource time = TimeSource.system();
    Duration length = Duration.ofMillis(Math.round(seconds * 1_000));
    String what = order.group(1);
    out.println(what + " start " + time.epochNanos());
    switch (what) {
      case "cpu" -> ProcessorLoad.make(length, time);
      case "lock-convoy" -> convoy.last(length, time);
      default -> {
        double live = part == null ? GarbagePressure.USUAL_PART : Double.parseDouble(part);
        GarbagePressure.make(length, live, time);
      }
    }
    out.println(what + " end " + time.epochNanos());
  }
}
