package org.terrace.seven.application;

/**
 * The effects of an update, as the database shows them when no call is under way.
 *
 * @param method the update
 * @param keys a query of one column: the key of each effect there is, in tables that were filled
 *     anew before the first call. A key that no reply named, or that is there more often than
 *     replies named it, is an effect too many
 */
public record Effect(String method, String keys) {}
