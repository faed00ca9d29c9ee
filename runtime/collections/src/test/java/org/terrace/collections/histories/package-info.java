/**
 * Histories of several simulated replicas, one by one and by kinds, with what must hold in each,
 * and the campaign that proves them.
 */
package org.terrace.collections.histories;
