/**
 * The replicated services that studies run: their database, infrastructure, replicas and clients.
 */
package org.terrace.studies.services;
