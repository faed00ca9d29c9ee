package org.terrace.mesh;

import org.terrace.scaling.search.SearchRound;
import org.terrace.specification.MeshSpecification;
import org.terrace.specification.PlannedTrial;

/**
 * The turn of a trial in its mesh. Immutable.
 *
 * @param mesh the mesh
 * @param planned the trial
 * @param key its key
 * @param number its number among those that the mesh is expected to run, from 1
 * @param trials how many these are
 * @param round the round in which it is run
 */
record TrialTurn(
    MeshSpecification mesh,
    PlannedTrial planned,
    String key,
    int number,
    int trials,
    SearchRound round) {}
