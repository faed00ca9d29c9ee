package org.terrace.studies.services;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.terrace.nodes.Node;
import org.terrace.studies.design.StudyContext;
import org.terrace.studies.services.StruckService.Strike;

/**
 * The result of a run in which one client called a service while its primary was struck again and
 * again. The client goes on for a second after the last fault was repaired. Immutable.
 *
 * @param strikes the faults, in their order
 * @param probes the rows of all calls
 * @param faulted the calls that met a fault
 * @param unanswered how many calls came to no reply
 * @param acknowledged the file of the updates that were acknowledged
 */
public record StruckRun(
    List<Strike> strikes,
    ProbeFile probes,
    List<FaultedCall> faulted,
    int unanswered,
    Path acknowledged) {
  private static final Duration GOES_ON = Duration.ofSeconds(1);

  /**
   * The client's part.
   *
   * @param think the pause between two calls
   * @param calls how many it makes at most, after a warm-up of so many more
   * @param more further words of its command line
   * @param endsWithin how long it may take
   */
  public record Calls(
      Duration think, long calls, int warmUp, List<String> more, Duration endsWithin) {}

  /**
   * The faults.
   *
   * @param begun what the client has said when the first is due
   * @param times how many, one in each interval
   * @param doing what is told of each
   * @param fault strikes a replica
   */
  public record Faults(
      Pattern begun,
      int times,
      Duration interval,
      String doing,
      Consumer<ManagerStatus.Replica> fault) {}

  /** Starts a service, has it called and struck, and ends it. */
  public static StruckRun of(
      StudyContext context,
      SevenPrograms programs,
      StruckService.Setup setup,
      List<String> replica,
      Calls calls,
      Faults faults)
      throws InterruptedException {
    try (StruckService service = StruckService.start(context, programs, setup, replica)) {
      Node client = service.client(calls.think(), calls.calls(), calls.warmUp(), calls.more());
      List<Strike> strikes =
          service.strike(
              client,
              faults.begun(),
              faults.times(),
              faults.interval(),
              faults.doing(),
              faults.fault());
      Thread.sleep(GOES_ON);
      var _ = client.writeLine("end");
      SevenPrograms.awaitEnd(client, calls.endsWithin());
      return new StruckRun(
          strikes,
          ProbeFile.read(List.of(service.probes())),
          FaultedCall.read(service.failOvers()),
          ClientSummary.read(service.summary()).unanswered(),
          service.acknowledged());
    }
  }
}
