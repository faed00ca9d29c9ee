package org.terrace.studies.softstate;

import java.util.List;
import org.terrace.analysis.study.StudyFindings;
import org.terrace.studies.design.Parameters;
import org.terrace.studies.design.StudyContext;
import org.terrace.studies.design.StudyDriver;

/**
 * Soft state in the service tier: the cart over Terrace's collections and over databases, its
 * staleness under overload, crashes, and the pet store's pages.
 *
 * <p>Source: Marian, Balakrishnan, Birman, van Renesse, "Tempest: Soft state replication in the
 * service tier", 2008.
 */
public final class SoftStateStudy implements StudyDriver {
  @Override
  public List<String> claims() {
    return SoftStateClaims.IDS;
  }

  @Override
  public Plan plan(Parameters from) {
    SoftStateParameters parameters = SoftStateParameters.of(from);
    return context -> run(context, parameters);
  }

  private static StudyFindings run(StudyContext context, SoftStateParameters parameters)
      throws InterruptedException {
    CartPrograms programs = new CartPrograms(context);
    List<CartRun> cart = new LatencyRuns(context, programs, parameters).run();
    CrashRun.Result crash = new CrashRun(context, programs, parameters.crashes()).run();
    StalenessRun.Result staleness = new StalenessRun(context, programs, parameters).run();
    List<PetRun> pages = new PetRuns(context, programs, parameters).run();
    return new SoftStateFindings(
            context, new SoftStateResults(parameters, cart, crash, staleness, pages))
        .toStudyFindings();
  }
}
