package org.terrace.report;

import java.util.List;
import org.terrace.analysis.study.Claim;
import org.terrace.analysis.study.StudyFindings;
import org.terrace.analysis.study.Validity;
import org.terrace.report.page.Markup;
import org.terrace.report.page.Quantity;
import org.terrace.report.plan.PlanPage;

/** The page of a study that observed no servers: its headline, ledger, figures and tables. */
final class StudyPage {
  private StudyPage() {}

  static void write(StudyFindings findings, Markup page) {
    page.open("section", "id", "verdict", "aria-labelledby", "verdict-sentence");
    List<Validity> failed = findings.validity().stream().filter(v -> !v.passed()).toList();
    if (!failed.isEmpty()) {
      VerdictSection.alarm(failed, page);
    }
    VerdictSection.checks(findings.validity(), failed.size(), page);
    VerdictSection.sentence(findings.study().summary(), page);
    page.leaf(
        "p",
        findings.study().title() + ". After " + findings.study().paper() + ".",
        "class",
        "basis");
    counts(findings.claims(), page);
    page.close();
    sections(findings, page);
  }

  /**
   * Writes the sections after the headline; a study with servers has it on the page of its trial.
   */
  static void sections(StudyFindings findings, Markup page) {
    LedgerSection.write(findings.claims(), page);
    StudySections.figures(findings.figures(), page);
    StudySections.tables(findings.tables(), page);
    StudySections.setup(findings.study(), page);
  }

  /** The page of a plan: its headline, key figures, and sections. */
  static void plan(PlanPage plan, Markup page) {
    page.open("section", "id", "verdict", "aria-labelledby", "verdict-sentence");
    VerdictSection.sentence(plan.headline(), page);
    page.leaf("p", plan.basis(), "class", "basis");
    page.open("dl", "class", "figures");
    for (PlanPage.KeyFigure figure : plan.figures()) {
      VerdictSection.figure(page, figure.name(), figure.value(), figure.detail());
    }
    page.close().close();
    for (PlanPage.Section section : plan.sections()) {
      page.open("section", "id", section.id()).leaf("h2", section.title());
      page.leaf("p", section.lead(), "class", "lead");
      section.maps().forEach(map -> StudySections.heatMap(map, page));
      if (!section.figures().isEmpty()) {
        StudySections.plots(section.figures(), page);
      }
      StudySections.dataTables(section.tables(), page);
      page.close();
    }
  }

  private static void counts(List<Claim> claims, Markup page) {
    if (claims.isEmpty()) {
      return;
    }
    page.open("dl", "class", "figures");
    for (Claim.Verdict verdict : Claim.Verdict.values()) {
      long count = claims.stream().filter(claim -> claim.verdict() == verdict).count();
      VerdictSection.figure(
          page,
          LedgerSection.symbol(verdict) + " " + LedgerSection.word(verdict),
          Quantity.count(count),
          "of " + Quantity.count(claims.size(), "claim"));
    }
    page.close();
  }
}
