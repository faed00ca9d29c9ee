package org.terrace.analysis.study;

import java.util.List;

/**
 * All that a study found: the ledger of claims, tables, figures, and what they were measured with.
 * Immutable.
 *
 * @param study what was run, on which machine, with which deviations from the paper
 * @param claims the paper's claims and how they fared
 * @param tables the tables
 * @param figures the figures
 * @param validity the checks that decide whether the figures can be trusted
 */
public record StudyFindings(
    StudyDescription study,
    List<Claim> claims,
    List<DataTable> tables,
    List<Figure> figures,
    List<Validity> validity) {

  /** Copies the lists. */
  public StudyFindings {
    claims = Defaults.list(claims);
    tables = Defaults.list(tables);
    figures = Defaults.list(figures);
    validity = Defaults.list(validity);
  }
}
