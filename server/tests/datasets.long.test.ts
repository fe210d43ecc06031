/** The larger tasks of real data sets over HTTP. */
import { checkDataset, ofRaces } from './datasets.ts';

checkDataset(ofRaces({ task: 'driver-dnf', labelsFrom: '1950-01-01', laterTable: 'results' }));
checkDataset(ofRaces({ task: 'driver-position', labelsFrom: '1950-01-01', laterTable: 'results' }));
