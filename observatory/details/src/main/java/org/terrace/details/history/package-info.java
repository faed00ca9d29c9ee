/**
 * A figure over a history of results: the places at which its level changed, told once there is
 * evidence enough, and never moved by results that come later.
 */
@org.jspecify.annotations.NullMarked
package org.terrace.details.history;
