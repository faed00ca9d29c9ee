package org.terrace.report;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.Map;
import org.terrace.testing.HeadlessChromium;
import tools.jackson.databind.JsonNode;

/**
 * The program behind {@code tools/screenshots}: photographs a report for the README and the guides.
 */
final class GuidePictures {
  private static final int WIDTH = 1000;
  private static final int HEIGHT = 900;
  private static final int MARGIN = 12;

  private final HeadlessChromium chromium;
  private final Path page;
  private final Path directory;

  private GuidePictures(HeadlessChromium chromium, Path page, Path directory) {
    this.chromium = chromium;
    this.page = page;
    this.directory = directory;
  }

  public static void main(String[] arguments) throws IOException {
    Path page = Path.of(arguments[0]).toRealPath();
    Path directory = Path.of(arguments[1]);
    try (HeadlessChromium chromium = HeadlessChromium.start(WIDTH, HEIGHT)) {
      new GuidePictures(chromium, page, directory).takeAll();
    }
  }

  private void takeAll() throws IOException {
    open("light", "");
    if (chromium.evaluate("document.querySelector('.alarm') !== null").booleanValue()) {
      throw new IOException(
          page + " is not valid: " + text("document.querySelector('.alarm').innerText"));
    }
    String link = text("document.querySelector('.episode-head .jump').getAttribute('href')");
    String culprit = text("document.querySelector('.episode-head b').textContent");
    String alone =
        "#"
            + text(
                "[...document.querySelectorAll('[data-shows]')].map(b => b.dataset.shows)"
                    + ".filter(s => s !== '"
                    + culprit
                    + "').map(s => 'hide=' + encodeURIComponent(s)).join('&')");
    for (String theme : new String[] {"light", "dark"}) {
      open(theme, alone);
      take(theme.equals("light") ? "report" : "report-dark", "body", culprit(culprit));
    }
    open("light", "");
    take("report-episodes", "#stalls", "#stalls");
    take("report-map", "#map", "#map .map");
    chromium.evaluate(
        "document.querySelectorAll('.profile').forEach(d => { d.open = false; });"
            + "(d => { d.open = true; [...d.querySelectorAll('.example')].find(e =>"
            + " /^(Slowest complete|Typical)/.test(e.textContent)).open = true; })"
            + "(document.querySelector('.profile'))");
    take("report-transaction", ".profile", ".profile .example[open]");
    take("report-limits", "#congestion", "#congestion");
    open("light", link + "&" + alone.substring(1));
    take("report-zoomed", ".axis", culprit(culprit));
  }

  private static String culprit(String server) {
    return ".server[data-server=\"" + server + "\"]";
  }

  /** Opens the page anew, without the marks that a link leaves. */
  private void open(String theme, String fragment) {
    chromium.media("prefers-color-scheme", theme);
    chromium.open(URI.create("about:blank"));
    chromium.open(URI.create(page.toUri() + fragment));
    chromium.evaluate(
        "(s => s && s.classList.remove('spot'))(document.querySelector('.spot'));"
            + " document.activeElement.blur(); scrollTo({top: 0, behavior: 'instant'})");
    chromium.evaluate(
        "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(0))))");
  }

  /** Photographs from the top of one element to the bottom of another. */
  private void take(String name, String first, String last) throws IOException {
    int top = Math.max(0, edge(first, "top"));
    JsonNode answer =
        chromium.call(
            "Page.captureScreenshot",
            Map.of(
                "captureBeyondViewport",
                true,
                "format",
                "png",
                "clip",
                Map.of(
                    "x",
                    0,
                    "y",
                    top,
                    "width",
                    WIDTH,
                    "height",
                    edge(last, "bottom") - top + MARGIN,
                    "scale",
                    1)));
    byte[] picture =
        PalettePicture.of(Base64.getDecoder().decode(answer.path("data").stringValue()));
    if (picture.length > DocumentPicturesTest.MOST_BYTES) {
      throw new IOException(
          name
              + ".png has "
              + picture.length
              + " bytes; at most "
              + DocumentPicturesTest.MOST_BYTES
              + " are allowed");
    }
    Files.write(directory.resolve(name + ".png"), picture);
    System.out.printf("%s.png: %,d bytes%n", name, picture.length);
  }

  private int edge(String selector, String side) {
    return chromium
        .evaluate(
            "Math.round(document.querySelector('"
                + selector
                + "').getBoundingClientRect()."
                + side
                + " + scrollY)")
        .intValue();
  }

  private String text(String expression) {
    return chromium.evaluate(expression).asString();
  }
}
