package org.terrace.scaling.search;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.TreeMap;
import org.terrace.scaling.Configuration;
import org.terrace.scaling.FailedTrials;
import org.terrace.scaling.MeshCell;
import org.terrace.scaling.MeshTrial;

/**
 * The candidates of a search, and those of them that have ended: done, or failed so that no figures
 * came of them. Trials that are no candidates are passed over. Immutable.
 */
final class SearchState {
  private final List<SearchCandidate> candidates;
  private final Map<Place, MeshTrial> ended;

  private SearchState(List<SearchCandidate> candidates, Map<Place, MeshTrial> ended) {
    this.candidates = candidates;
    this.ended = ended;
  }

  /** The identity of a trial in its mesh. */
  private record Place(Configuration configuration, int users, int repeat) {
    static Place of(SearchCandidate candidate) {
      return new Place(candidate.configuration(), candidate.users(), candidate.repeat());
    }

    static Place of(MeshTrial trial) {
      return new Place(trial.configuration(), trial.users(), trial.repeat());
    }
  }

  /** The state after some trials, of which those that were not run do not count. */
  static SearchState of(List<SearchCandidate> candidates, Collection<MeshTrial> trials) {
    Map<Place, MeshTrial> ended = new HashMap<>();
    for (MeshTrial trial : trials) {
      if (trial.status() != MeshTrial.Status.SKIPPED) {
        ended.put(Place.of(trial), trial);
      }
    }
    return new SearchState(candidates, ended);
  }

  /** The states of the loads, by load. */
  NavigableMap<Integer, SearchState> byLoad() {
    Map<Integer, List<SearchCandidate>> grouped = new LinkedHashMap<>();
    for (SearchCandidate each : candidates) {
      grouped.computeIfAbsent(each.users(), _ -> new ArrayList<>()).add(each);
    }
    NavigableMap<Integer, SearchState> states = new TreeMap<>();
    grouped.forEach((users, those) -> states.put(users, new SearchState(those, ended)));
    return states;
  }

  /** The states of the configurations, in the order of the specification. */
  Map<Configuration, SearchState> byConfiguration() {
    Map<Configuration, List<SearchCandidate>> grouped = new LinkedHashMap<>();
    for (SearchCandidate each : candidates) {
      grouped.computeIfAbsent(each.configuration(), _ -> new ArrayList<>()).add(each);
    }
    Map<Configuration, SearchState> states = new LinkedHashMap<>();
    grouped.forEach(
        (configuration, those) -> states.put(configuration, new SearchState(those, ended)));
    return states;
  }

  /** The state of one load. */
  SearchState under(int users) {
    return new SearchState(
        candidates.stream().filter(each -> each.users() == users).toList(), ended);
  }

  /** The state of one configuration. */
  SearchState of(Configuration configuration) {
    return new SearchState(
        candidates.stream().filter(each -> each.configuration().equals(configuration)).toList(),
        ended);
  }

  List<SearchCandidate> candidates() {
    return candidates;
  }

  /** The candidates that have not ended. */
  List<SearchCandidate> left() {
    return candidates.stream().filter(each -> !ended.containsKey(Place.of(each))).toList();
  }

  /** The number of those that have ended. */
  int endedCount() {
    return candidates.size() - left().size();
  }

  /** The trials that were done, in the order of the candidates. */
  List<MeshTrial> done() {
    List<MeshTrial> done = new ArrayList<>();
    for (SearchCandidate each : candidates) {
      MeshTrial trial = ended.get(Place.of(each));
      if (trial != null && trial.isDone()) {
        done.add(trial);
      }
    }
    return done;
  }

  /** The trials that failed. */
  FailedTrials failed() {
    return FailedTrials.of(
        candidates.stream()
            .map(each -> ended.get(Place.of(each)))
            .filter(Objects::nonNull)
            .toList());
  }

  /** The number of trials that failed. */
  int failedCount() {
    return endedCount() - done().size();
  }

  /** The done trials as one cell, if they are of one configuration under one load. */
  MeshCell cell() {
    List<MeshTrial> done = done();
    return new MeshCell(done.getFirst().configuration(), done.getFirst().users(), done, failed());
  }
}
