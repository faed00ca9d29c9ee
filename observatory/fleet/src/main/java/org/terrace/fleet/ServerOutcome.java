package org.terrace.fleet;

import java.io.Serializable;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.terrace.analysis.SeparateAnalysis;
import org.terrace.analysis.ServerPart;
import org.terrace.analysis.finding.Caller;
import org.terrace.analysis.finding.ClassResponses;
import org.terrace.details.DelayCells;

/**
 * The result of one server's task, without its requests: some kilobytes, and about two bytes for
 * each 10 ms of a server that was disturbed. Immutable; its serialized form is for programs of one
 * version.
 *
 * @param trial the trial
 * @param revision the revision of the trial that was read
 * @param server the server, or the clients
 * @param part its analysis; null for the clients
 * @param clients the clients' own view; null for servers
 * @param callers who called it in the analysed stretch
 * @param cells its requests in cells, by which the causes of its delay are ranked; null where
 *     nothing disturbed it
 * @param responses the response times of its classes
 * @param requests the requests that were read of it
 * @param within those of them that arrived in the stretch
 */
public record ServerOutcome(
    String trial,
    String revision,
    String server,
    @Nullable ServerPart part,
    SeparateAnalysis.@Nullable ClientPart clients,
    List<Caller> callers,
    @Nullable DelayCells cells,
    List<ClassResponses> responses,
    long requests,
    long within)
    implements Serializable {

  /** Copies the lists. */
  public ServerOutcome {
    callers = List.copyOf(callers);
    responses = List.copyOf(responses);
  }
}
