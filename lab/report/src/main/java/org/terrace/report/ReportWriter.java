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
import java.util.Map;
import org.terrace.analysis.AnalysisResult;
import org.terrace.analysis.study.Figure;
import org.terrace.analysis.study.StudyFindings;
import org.terrace.report.page.Markup;
import org.terrace.report.plan.PlanFile;
import org.terrace.report.plan.PlanPage;
import org.terrace.report.plan.PlanPages;
import org.terrace.report.plan.PlannedMesh;

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

  /** The name of a plan's page in its directory. */
  public static final String PLAN_NAME = "plan.html";

  private static final String STYLE = resource("report.css");
  private static final String SCRIPT =
      resource("drawing.js") + resource("view.js") + resource("controls.js");
  private static final String STUDY_SCRIPT = resource("study.js");

  private static final List<Link> TRIAL_LINKS =
      List.of(
          new Link("time", "Over time"),
          new Link("stalls", "Stalls"),
          new Link("map", "Map"),
          new Link("transactions", "Transactions"),
          new Link("episodes", "Congested"),
          new Link("congestion", "Limits"),
          new Link("latency", "Response times"),
          new Link("tail", "Tail"),
          new Link("classes", "Requests"),
          new Link("resources", "Resources"),
          new Link("connections", "Connections"),
          new Link("reproduce", "Reproduce"));
  private static final List<Link> STUDY_LINKS =
      List.of(
          new Link("claims", "Claims"),
          new Link("figures", "Figures"),
          new Link("tables", "Tables"),
          new Link("setup", "Set-up"));

  private record Link(String id, String text) {}

  private ReportWriter() {}

  /** Writes the page to a file, which appears whole or not at all. */
  public static void write(AnalysisResult result, TrialFacts facts, Path file) {
    WholeFile.write(file, render(result, facts));
  }

  /** The page. */
  public static String render(AnalysisResult result, TrialFacts facts) {
    Content content = new Content(result, facts);
    Markup page = begun(facts.title(), SCRIPT);
    page.open("body");
    Markup sections = new Markup();
    List<Lane> lanes = sections(content, sections);
    String body = sections.toString();
    banner(
        facts.title(),
        TRIAL_LINKS.stream().filter(link -> body.contains("id=\"" + link.id() + '"')).toList(),
        page);
    page.add(sections);
    page.raw("script", TimelineData.of(content, lanes), "type", "application/json", "id", "data");
    page.raw("script", SCRIPT);
    page.close().close();
    return whole(page);
  }

  /** Writes all sections and returns the lanes of the time line. */
  private static List<Lane> sections(Content content, Markup page) {
    AnalysisResult result = content.result();
    page.open("main");
    VerdictSection.write(content, page);
    StudyFindings study = result.findings().studyFindings();
    if (study == null) {
      LedgerSection.write(result.findings().claims(), page);
    } else {
      StudyPage.sections(study, page);
    }
    List<Lane> lanes = new TimelineSection(content).write(page);
    StallSection.write(content, page);
    ServiceMapSection.write(content, page);
    TransactionSection.write(content, page);
    EpisodeSection.write(content, page);
    CongestionSection.write(content, page);
    LatencySection.write(content, page);
    TailSection.write(content, page);
    ClassSection.write(content, page);
    ResourceSection.write(content, page);
    FactSection.write(content, page);
    page.close();
    return lanes;
  }

  /**
   * Writes the page of a study that observed no servers: the ledger of claims first, then figures,
   * tables and the set-up. The file appears whole or not at all.
   */
  public static void writeStudy(StudyFindings findings, Path file) {
    WholeFile.write(file, renderStudy(findings));
  }

  /** The page of a study that observed no servers. */
  public static String renderStudy(StudyFindings findings) {
    String title = findings.study().name();
    Markup page = begun(title, STUDY_SCRIPT);
    page.open("body");
    banner(title, STUDY_LINKS, page);
    page.open("main");
    StudyPage.write(findings, page);
    page.close();
    page.raw("script", STUDY_SCRIPT);
    page.close().close();
    return whole(page);
  }

  /** Writes the page of a plan and its JSON into a directory; each file appears whole or not. */
  public static void writePlan(PlannedMesh planned, Path directory) {
    WholeFile.write(directory.resolve(PlanFile.NAME), PlanFile.toJson(planned));
    WholeFile.write(directory.resolve(PLAN_NAME), renderPlan(PlanPages.of(planned)));
  }

  /** The page of a plan. */
  public static String renderPlan(PlanPage plan) {
    Markup page = begun(plan.title(), STUDY_SCRIPT);
    page.open("body");
    banner(
        plan.title(),
        plan.sections().stream().map(each -> new Link(each.id(), each.link())).toList(),
        page);
    page.open("main");
    StudyPage.plan(plan, page);
    page.close();
    page.raw("script", STUDY_SCRIPT);
    page.close().close();
    return whole(page);
  }

  /** The style sheet of every page, for a page that others write about results. */
  public static String styleSheet() {
    return STYLE;
  }

  /** The sections of a plan's page, without head and banner. */
  @SuppressWarnings("exports") // for the dashboard, to which markup is exported
  public static Markup planSections(PlanPage plan) {
    Markup sections = new Markup();
    StudyPage.plan(plan, sections);
    return sections;
  }

  /** Figures side by side, each with its legend and without the table of its points. */
  @SuppressWarnings("exports") // for the dashboard, to which markup is exported
  public static Markup drawings(List<Figure> figures) {
    Markup drawn = new Markup();
    StudySections.drawings(figures, drawn);
    return drawn;
  }

  /**
   * The policies that the pages of this version carry, one for each set of scripts, each by what
   * its pages begin with, up to the end of the policy's element. A page that begins otherwise was
   * written by another version, or by somebody else.
   */
  public static Map<String, String> policiesByBeginning() {
    return Map.of(
        beginning(SCRIPT), policy(SCRIPT),
        beginning(STUDY_SCRIPT), policy(STUDY_SCRIPT));
  }

  private static String beginning(String script) {
    String page = whole(begun("", script).close());
    String end = "/>";
    return page.substring(0, page.indexOf(end, page.indexOf("http-equiv")) + end.length());
  }

  /** A page's beginning, with its head; its element is still open. */
  private static Markup begun(String title, String script) {
    Markup page = new Markup();
    page.open("html", "lang", "en");
    head(title, script, page);
    return page;
  }

  private static String whole(Markup page) {
    return "<!DOCTYPE html>\n" + page + "\n";
  }

  private static String policy(String script) {
    return "default-src 'none'; style-src '"
        + hash(STYLE)
        + "'; script-src '"
        + hash(script)
        + "'; base-uri 'none'; form-action 'none'";
  }

  private static void head(String title, String script, Markup page) {
    page.open("head").empty("meta", "charset", "utf-8");
    page.empty("meta", "http-equiv", "Content-Security-Policy", "content", policy(script));
    page.empty("meta", "name", "viewport", "content", "width=device-width, initial-scale=1");
    page.empty("meta", "name", "color-scheme", "content", "light dark");
    page.empty("meta", "name", "referrer", "content", "no-referrer");
    page.leaf("title", title + " – Terrace report");
    page.raw("style", STYLE);
    page.close();
  }

  private static void banner(String title, List<Link> links, Markup page) {
    page.open("header", "class", "banner");
    page.open("svg", "viewBox", "0 0 24 24", "class", "logo", "aria-hidden", "true");
    page.empty("path", "d", "M2 20V15H9V10H16V5H22V20Z", "class", "steps").close();
    page.leaf("b", "Terrace").leaf("span", title, "class", "title");
    page.open("nav", "aria-label", "Sections");
    links.forEach(link -> page.leaf("a", link.text(), "href", "#" + link.id()));
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
        "Light or dark",
        "accesskey",
        "t");
    page.close();
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
