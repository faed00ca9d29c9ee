package org.terrace.studies.design;

import java.util.List;

/**
 * A paper to re-run: where its services listen, what it claims, and what to do in a short run and
 * in one of the published size. Immutable.
 *
 * @param name its name, for example {@code fail-over}
 * @param paper the paper: authors, title, year
 * @param network the first two numbers of its servers' addresses
 * @param seed what every random choice derives from
 * @param claims what the paper states
 * @param briefly the short run
 * @param asPublished the run of the published size
 */
public record Study(
    String name,
    String paper,
    String network,
    long seed,
    List<PublishedClaim> claims,
    StudyDriver.Plan briefly,
    StudyDriver.Plan asPublished) {

  /** Copies the claims. */
  public Study {
    claims = List.copyOf(claims);
  }
}
