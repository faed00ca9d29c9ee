package org.terrace.dashboard.results;

import java.util.List;
import java.util.Locale;

/**
 * A result in a list: what it is, how it stands, and its key figures. Immutable.
 *
 * @param place where it lies
 * @param kind what it is
 * @param state how it stands
 * @param reason why it failed, or what it does now; empty where there is nothing to say
 * @param epochMillis when it began if it runs, else when it was written last
 * @param figures its key figures, the most telling first
 */
public record ResultSummary(
    ResultPlace place,
    Kind kind,
    State state,
    String reason,
    long epochMillis,
    List<KeyFigure> figures) {
  /** Copies the figures. */
  public ResultSummary {
    figures = List.copyOf(figures);
  }

  /** The kind of a result. */
  public enum Kind {
    /** One trial of an experiment. */
    EXPERIMENT,
    /** Requests, packets or traces of a system of the user's own. */
    ANALYSIS,
    /** A paper's claims. */
    STUDY,
    /** An experiment in many configurations. */
    MESH;

    /** The word for it. */
    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** The state of a result. */
  public enum State {
    /** A command is at work on it. */
    RUNNING,
    /** The result is whole, and its checks held. */
    COMPLETE,
    /** The command did not come to its end, or a check failed. */
    FAILED,
    /** The result has not been read yet. */
    UNREAD;

    /** The word for it. */
    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /**
   * A key figure.
   *
   * @param name what it is
   * @param value the figure with its unit
   */
  public record KeyFigure(String name, String value) {}
}
