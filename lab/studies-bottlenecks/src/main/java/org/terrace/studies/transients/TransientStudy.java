package org.terrace.studies.transients;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Optional;
import org.terrace.analysis.study.StudyFindings;
import org.terrace.core.process.Keeper;
import org.terrace.nodes.machine.HostClocks;
import org.terrace.nodes.machine.HostFrequency;
import org.terrace.studies.design.Parameters;
import org.terrace.studies.design.StudyContext;
import org.terrace.studies.design.StudyDriver;

/**
 * Transient bottlenecks of an n-tier service: a stop-the-world collector in the application tier
 * and a lagging frequency governor in the database tier, before and after each cure, and what it
 * costs to see them by packets or by sampling.
 *
 * <p>Source: Wang, Kanemasa, Li, Jayasinghe, Shimizu, Matsubara, Kawaba, Pu, "Detecting transient
 * bottlenecks in n-tier applications through fine-grained analysis", ICDCS 2013.
 */
public final class TransientStudy implements StudyDriver {
  @Override
  public List<String> claims() {
    return TransientClaims.IDS;
  }

  @Override
  public boolean capturesPackets() {
    return true;
  }

  @Override
  public Plan plan(Parameters from) {
    TransientParameters parameters = TransientParameters.of(from);
    return context -> run(context, parameters);
  }

  private static StudyFindings run(StudyContext context, TransientParameters parameters)
      throws InterruptedException {
    Optional<HostFrequency> clock =
        HostClocks.ofThisMachine().control(Keeper.ofThisProcess()::restore);
    try {
      if (clock.isPresent()) {
        clock.get().keepFastest();
      }
      List<TransientRun> runs = new TransientRuns(context, parameters).run();
      WatchingCost watching = new WatchingRun(context, parameters).run();
      return new TransientFindings(
              context, new TransientResults(parameters, runs, watching), clock.isPresent())
          .toStudyFindings();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      clock.ifPresent(frequency -> {
        try {
          frequency.restore();
        } catch (IOException e) {
          context.listener().warning("the machine's clock was not given back: " + e.getMessage());
        }
      });
    }
  }
}
