package org.terrace.analysis.finding;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.terrace.analysis.study.Claim;
import org.terrace.analysis.study.DataTable;
import org.terrace.analysis.study.Figure;
import org.terrace.analysis.study.StudyDescription;
import org.terrace.analysis.study.StudyFindings;
import org.terrace.analysis.study.Validity;
import org.terrace.analysis.threshold.Threshold;
import org.terrace.observation.CaptureFigures;

/**
 * The results of an analysis, as values with their evidence and uncertainty: the content of {@code
 * findings.json}, format {@value #FORMAT}. Immutable. Components are only ever added.
 *
 * @param format always {@value #FORMAT}
 * @param capture what the packet capture saw and lost; null when nothing was captured
 * @param window the window length of the load and throughput series
 * @param servers one entry a server, from the users' side to the database
 * @param transactions what stitching of requests found; counts are zero without it
 * @param clients what the clients saw; null when nobody watched from their side
 * @param validity the checks that decide whether the figures can be trusted
 * @param claims a paper's claims and their verdicts; empty outside studies
 * @param study what a study is and how it was run; null outside studies
 * @param tables the tables of a study
 * @param figures the figures of a study
 * @param warnings what was lost, guessed or could not be set, a sentence each
 * @param thresholds the conditions under which the result fails, and what became of each
 * @param stallEpisodes the stalls of all servers gathered into episodes, those stalled longest in
 *     all first
 * @param users what the users felt; null outside an analysis, and in files that are older than this
 *     field
 * @param responses the response times of each class, those of {@code clients} as the users saw
 *     them; empty in files that are older than this field
 */
public record Findings(
    String format,
    @Nullable CaptureFigures capture,
    Window window,
    List<ServerFindings> servers,
    Transactions transactions,
    @Nullable Clients clients,
    List<Validity> validity,
    List<Claim> claims,
    @Nullable StudyDescription study,
    List<DataTable> tables,
    List<Figure> figures,
    List<String> warnings,
    List<Threshold.Judgement> thresholds,
    List<StallEpisode> stallEpisodes,
    @Nullable UserExperience users,
    List<ClassResponses> responses) {

  /** The name and version of the format. */
  public static final String FORMAT = "terrace-findings/1";

  /** Copies the lists. */
  public Findings {
    servers = List.copyOf(servers);
    validity = List.copyOf(validity);
    claims = List.copyOf(claims);
    tables = List.copyOf(tables);
    figures = List.copyOf(figures);
    warnings = List.copyOf(warnings);
    thresholds = List.copyOf(thresholds);
    stallEpisodes = List.copyOf(stallEpisodes);
    responses = List.copyOf(responses);
  }

  /** Findings outside a study. */
  public Findings(
      String format,
      @Nullable CaptureFigures capture,
      Window window,
      List<ServerFindings> servers,
      Transactions transactions,
      @Nullable Clients clients,
      List<Validity> validity,
      List<Claim> claims) {
    this(
        format,
        capture,
        window,
        servers,
        transactions,
        clients,
        validity,
        claims,
        null,
        List.of(),
        List.of(),
        List.of(),
        List.of(),
        List.of(),
        null,
        List.of());
  }

  /** Findings of a study that observed no servers. */
  public static Findings ofStudy(StudyFindings study) {
    return new Findings(
        FORMAT,
        null,
        Window.NONE,
        List.of(),
        Transactions.NONE,
        null,
        study.validity(),
        study.claims(),
        study.study(),
        study.tables(),
        study.figures(),
        List.of(),
        List.of(),
        List.of(),
        null,
        List.of());
  }

  /** The study of these findings; null outside studies. */
  public @Nullable StudyFindings studyFindings() {
    return study == null ? null : new StudyFindings(study, claims, tables, figures, validity);
  }

  /** These findings with what the capture saw, which an analysis of requests cannot know. */
  public Findings withCapture(CaptureFigures seen) {
    return withInput(seen, transactions);
  }

  /**
   * These findings with what the capture saw, null if there was none, and with what stitching found
   * or a file of traces told.
   */
  public Findings withInput(@Nullable CaptureFigures seen, Transactions found) {
    return with(
        seen, servers, found, validity, warnings, thresholds, stallEpisodes, users, responses);
  }

  /** These findings with checks of the measurement added to those that are there. */
  public Findings withValidity(List<Validity> added) {
    List<Validity> all = new ArrayList<>(validity);
    all.addAll(added);
    return with(
        capture, servers, transactions, all, warnings, thresholds, stallEpisodes, users, responses);
  }

  /** These findings with their warnings, and with what became of the thresholds. */
  public Findings withOutcome(List<String> limits, List<Threshold.Judgement> judgements) {
    return with(
        capture,
        servers,
        transactions,
        validity,
        limits,
        judgements,
        stallEpisodes,
        users,
        responses);
  }

  /** These findings with their stalls as episodes, and with what the users felt. */
  public Findings withExperience(List<StallEpisode> episodes, UserExperience felt) {
    return with(
        capture, servers, transactions, validity, warnings, thresholds, episodes, felt, responses);
  }

  /** These findings with callers of servers, packets of episodes and the responses of classes. */
  public Findings withDetails(
      List<ServerFindings> known, List<StallEpisode> episodes, List<ClassResponses> told) {
    return with(
        capture, known, transactions, validity, warnings, thresholds, episodes, users, told);
  }

  private Findings with(
      @Nullable CaptureFigures seen,
      List<ServerFindings> observed,
      Transactions found,
      List<Validity> checks,
      List<String> limits,
      List<Threshold.Judgement> judgements,
      List<StallEpisode> episodes,
      @Nullable UserExperience felt,
      List<ClassResponses> told) {
    return new Findings(
        format,
        seen,
        window,
        observed,
        found,
        clients,
        checks,
        claims,
        study,
        tables,
        figures,
        limits,
        judgements,
        episodes,
        felt,
        told);
  }

  /**
   * The window length of the series.
   *
   * @param millis its length in milliseconds
   * @param chosen {@code automatic} by the rule of {@code WindowChoice}, {@code default} where that
   *     rule cannot decide, {@code given} when the user set it, or {@code none} where nothing was
   *     divided into windows
   */
  public record Window(int millis, String chosen) {
    /** No windows: a study without servers. */
    public static final Window NONE = new Window(0, "none");
  }

  /**
   * A distribution of times, in microseconds, computed exactly from every request.
   *
   * @param mean the arithmetic mean
   * @param p50 the median
   * @param p99 the 99th percentile
   * @param p999 the 99.9th percentile
   * @param max the largest
   */
  public record Latency(double mean, double p50, double p99, double p999, double max)
      implements Serializable {
    /** Whether anything was answered; if not, all figures are zero. */
    public boolean hasValues() {
      return max > 0;
    }
  }

  /**
   * A stall: requests were waiting and few or none were answered.
   *
   * @param startNanos its refined start, in nanoseconds since the Unix epoch
   * @param endNanos its refined end
   * @param peakLoad the most requests in flight during it
   * @param unexplainedShare the part of its duration that no significant cause overlaps, 0 to 1
   * @param causes the events that overlap it: significant ones first, then by agreement
   * @param behaviour what the server did in it; null in files that are older than this field
   * @param waitedFor the server whose answers it waited for; null unless it waited
   */
  public record Stall(
      long startNanos,
      long endNanos,
      double peakLoad,
      double unexplainedShare,
      List<Cause> causes,
      @Nullable Behaviour behaviour,
      @Nullable String waitedFor) {

    /** Copies the causes. */
    public Stall {
      causes = List.copyOf(causes);
    }
  }

  /** The behaviour of a server in a stall. In files it is the word that {@link #toString} gives. */
  public enum Behaviour {
    /** The server had something in hand and neither answered nor called another. */
    STOOD_STILL("stood-still"),
    /** The host did not acknowledge what was sent to it either: host or network stood still. */
    HOST_SILENT("host-silent"),
    /** The server's requests waited for the answers of another server. */
    WAITED("waited");

    private final String word;

    Behaviour(String word) {
      this.word = word;
    }

    /** The word of the file format. */
    @Override
    public String toString() {
      return word;
    }
  }

  /**
   * An event that overlaps a stall. Overlap is evidence of cause, not proof.
   *
   * @param kind the kind of the event
   * @param node where it happened
   * @param share the part of the stall's duration that it overlaps, 0 to 1
   * @param p the probability of at least this much overlap between this kind's events and the
   *     server's stalls if they were unrelated; null when it was not computed
   * @param adjustedP {@code p} adjusted for the number of kinds, nodes and servers that were tested
   *     (Benjamini and Hochberg 1995); null when it was not computed
   * @param lift the overlap of this kind's events with the server's stalls over that of unrelated
   *     ones; null in files that are older than this field
   * @param agreement how well one event agrees with the stall in both edges: their overlap over the
   *     length that either covers, 0 to 1; null in files that are older than this field
   */
  public record Cause(
      String kind,
      String node,
      double share,
      @Nullable Double p,
      @Nullable Double adjustedP,
      @Nullable Double lift,
      @Nullable Double agreement) {

    /** The adjusted probability up to which a cause counts as one. */
    public static final double SIGNIFICANT = 0.05;

    /** A cause without an adjusted probability. */
    public Cause(String kind, String node, double share, @Nullable Double p) {
      this(kind, node, share, p, null, null, null);
    }

    /**
     * Whether chance is unlikely to overlap as much, by the adjusted probability, or by the plain
     * one in files that hold no other.
     */
    public boolean significant() {
      Double known = adjustedP == null ? p : adjustedP;
      return known != null && known <= SIGNIFICANT;
    }
  }

  /**
   * The result of stitching, or of reading traces.
   *
   * @param count transactions that were found
   * @param complete those of them to which no call without a parent could belong
   * @param confidence the confidence of the calls with a parent
   * @param calls the calls with a parent
   * @param classes where the time of complete transactions went, by server and request class
   * @param callsWithoutParent calls of a server of which nothing tells for which request; 0 in
   *     older files
   * @param profiles the transactions by the class of their first request, those with most time
   *     first; empty in older files
   * @param tiers where the time of all requests went by tier, whether they were stitched or not: a
   *     tier's time less that of its calls, a request of the users; empty where calls overlap
   * @param reason why there are none, in a sentence; null where there are, and in older files
   */
  public record Transactions(
      long count,
      long complete,
      Confidence confidence,
      long calls,
      List<TransactionClass> classes,
      long callsWithoutParent,
      List<TransactionProfile> profiles,
      List<TransactionProfile.TierTime> tiers,
      @Nullable String reason) {
    /** No stitching was done. */
    public static final Transactions NONE =
        new Transactions(0, 0, new Confidence(0, 0), 0, List.of());

    /** Copies the lists. */
    public Transactions {
      classes = List.copyOf(classes);
      profiles = List.copyOf(profiles);
      tiers = List.copyOf(tiers);
    }

    /** Transactions without profiles. */
    public Transactions(
        long count,
        long complete,
        Confidence confidence,
        long calls,
        List<TransactionClass> classes) {
      this(count, complete, confidence, calls, classes, 0, List.of(), List.of(), null);
    }
  }

  /** Quantiles of the confidence in an edge, 0 to 1. */
  public record Confidence(double p50, double p05) {}

  /**
   * The service as the clients saw it.
   *
   * @param requests pages asked for in the analysed stretch, and those before it that were still
   *     without an answer when all was over
   * @param errors pages with a wrong status, a failed content check, or no answer, by the moment
   *     that became known; whatever still had none when all was over
   * @param answersPerSecond pages that were answered; null in files that are older than this field
   * @param latencyMicros from the actual send to the last byte
   * @param intendedLatencyMicros from the intended send to the last byte, which shows coordinated
   *     omission
   * @param tail the tail of the times from the actual send; null without answers
   */
  public record Clients(
      long requests,
      long errors,
      @Nullable Double answersPerSecond,
      Latency latencyMicros,
      Latency intendedLatencyMicros,
      @Nullable TailFindings tail)
      implements Serializable {}
}
