package org.terrace.report;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.List;
import org.terrace.analysis.AnalysisResult;

/**
 * Renders what an analysis computed as one HTML file that needs nothing else: no network, no
 * server, no library. It decides nothing; every figure on the page is one of the analysis. Charts
 * are SVG; a script of the project's own makes the time line zoom and gives it a cursor. Stateless
 * and thread-safe.
 *
 * <p>The size of the page does not grow with the number of requests: series are reduced to columns,
 * lists are cut, and each cut is said on the page.
 */
public final class ReportWriter {
  /** The name of the file in a result directory. */
  public static final String NAME = "report.html";

  private static final String STYLE = resource("report.css");
  private static final String SCRIPT = resource("drawing.js") + resource("controls.js");

  private ReportWriter() {}

  /** Writes the page to a file, which appears whole or not at all. */
  public static void write(AnalysisResult result, TrialFacts facts, Path file) {
    WholeFile.write(file, render(result, facts));
  }

  /** The page. */
  public static String render(AnalysisResult result, TrialFacts facts) {
    Content content = new Content(result, facts);
    Markup page = new Markup();
    page.open("html", "lang", "en");
    head(facts, page);
    page.open("body");
    banner(content, page);
    page.open("main");
    VerdictSection.write(content, page);
    List<Lane> lanes = new TimelineSection(content).write(page);
    StallSection.write(content, page);
    CongestionSection.write(content, page);
    LatencySection.write(content, page);
    ClassSection.write(content, page);
    ResourceSection.write(content, page);
    FactSection.write(content, page);
    page.close();
    page.raw("script", TimelineData.of(content, lanes), "type", "application/json", "id", "data");
    page.raw("script", SCRIPT);
    page.close().close();
    return "<!DOCTYPE html>\n" + page + "\n";
  }

  private static void head(TrialFacts facts, Markup page) {
    page.open("head").empty("meta", "charset", "utf-8");
    page.empty(
        "meta",
        "http-equiv",
        "Content-Security-Policy",
        "content",
        "default-src 'none'; style-src '"
            + hash(STYLE)
            + "'; script-src '"
            + hash(SCRIPT)
            + "'; base-uri 'none'; form-action 'none'");
    page.empty("meta", "name", "viewport", "content", "width=device-width, initial-scale=1");
    page.empty("meta", "name", "color-scheme", "content", "light dark");
    page.empty("meta", "name", "referrer", "content", "no-referrer");
    page.leaf("title", facts.title() + " – Terrace report");
    page.raw("style", STYLE);
    page.close();
  }

  private static void banner(Content content, Markup page) {
    page.open("header", "class", "banner");
    page.open("svg", "viewBox", "0 0 24 24", "class", "logo", "aria-hidden", "true");
    page.empty("path", "d", "M2 20V15H9V10H16V5H22V20Z", "class", "steps").close();
    page.leaf("b", "Terrace").leaf("span", content.facts().title(), "class", "title");
    page.open("nav", "aria-label", "Sections");
    link(page, "time", "Over time");
    link(page, "stalls", "Stalls");
    link(page, "congestion", "Congestion");
    link(page, "latency", "Response times");
    link(page, "classes", "Requests");
    link(page, "reproduce", "Reproduce");
    page.close();
    page.leaf(
        "button",
        "◐",
        "type",
        "button",
        "id",
        "theme",
        "hidden",
        "",
        "aria-label",
        "Change between light and dark",
        "title",
        "Light or dark (T)");
    page.close();
  }

  private static void link(Markup page, String id, String text) {
    page.leaf("a", text, "href", "#" + id);
  }

  private static String hash(String content) {
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256").digest(content.getBytes(StandardCharsets.UTF_8));
      return "sha256-" + Base64.getEncoder().encodeToString(digest);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  private static String resource(String name) {
    try (InputStream input = ReportWriter.class.getResourceAsStream(name)) {
      if (input == null) {
        throw new IllegalStateException("no " + name + " beside " + ReportWriter.class);
      }
      return new String(input.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
