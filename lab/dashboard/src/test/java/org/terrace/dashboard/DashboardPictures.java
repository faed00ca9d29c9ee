package org.terrace.dashboard;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.terrace.core.TimeSource;
import org.terrace.core.process.ChildProcess;
import org.terrace.testing.Await;
import org.terrace.testing.HeadlessChromium;

/**
 * The program behind {@code tools/screenshots} that photographs the dashboard: a directory with a
 * result {@code quickstart}, a mesh {@code mesh} and a run at work. Its arguments are that
 * directory, the one of the pictures, and the command of the run, which it starts once there is a
 * dashboard to follow it.
 */
final class DashboardPictures {
  private static final int WIDTH = 1200;
  private static final Duration WITHIN = Duration.ofMinutes(5);

  private final HeadlessChromium chromium;
  private final String root;
  private final Path images;

  private DashboardPictures(HeadlessChromium chromium, String root, Path images) {
    this.chromium = chromium;
    this.root = root;
    this.images = images;
  }

  public static void main(String[] arguments) throws IOException {
    try (HeadlessChromium chromium = HeadlessChromium.start(WIDTH, 900);
        Dashboard dashboard =
            Dashboard.start(
                new DashboardOptions(Path.of(arguments[0]), "127.0.0.1", 0, Optional.empty()),
                TimeSource.system());
        ChildProcess _ = ChildProcess.start(run(arguments))) {
      String root = dashboard.address().replaceAll("/$", "");
      new DashboardPictures(chromium, root, Path.of(arguments[1])).takeAll();
    }
  }

  private static ProcessBuilder run(String[] arguments) {
    return new ProcessBuilder(List.of(arguments).subList(2, arguments.length))
        .redirectOutput(Redirect.DISCARD)
        .redirectError(Redirect.INHERIT);
  }

  private void takeAll() throws IOException {
    open("light", "/");
    await("document.querySelector('tr.running a') !== null", "no run is at work");
    String running =
        chromium.evaluate("document.querySelector('tr.running a').getAttribute('href')").asString();
    open("light", running);
    await(
        "document.getElementById('live').textContent.includes('gc pressure')", "no fault was told");
    for (String theme : new String[] {"light", "dark"}) {
      String end = theme.equals("light") ? "" : "-dark";
      open(theme, running);
      await("Number(document.documentElement.dataset.seen) >= 1", "the run tells nothing");
      take("dashboard-running" + end, 800);
      open(theme, "/");
      take("dashboard" + end, 520);
      open(theme, "/result/mesh");
      take("dashboard-mesh" + end, 900);
    }
  }

  private void open(String theme, String target) {
    chromium.media("prefers-color-scheme", theme);
    chromium.open(URI.create(root + target));
  }

  private void await(String expression, String otherwise) throws IOException {
    if (!Await.until(WITHIN, () -> chromium.evaluate(expression).booleanValue())) {
      throw new IOException(otherwise);
    }
  }

  private void take(String name, int height) throws IOException {
    chromium.resize(WIDTH, height);
    chromium.call(
        "Runtime.evaluate",
        Map.of("expression", "new Promise(requestAnimationFrame)", "awaitPromise", true));
    Files.write(images.resolve(name + ".png"), chromium.screenshot(false));
  }
}
